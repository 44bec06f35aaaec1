import { type Ref, ref, watch } from 'vue';
import { tabStorage } from './tab-storage.ts';

const name = 'waybill.key';

/** The API key of all forms. The tab remembers it until it is closed. */
export const key: Ref<string> = ref(tabStorage.get(name) ?? '');

watch(key, (value) => tabStorage.set(name, value));
