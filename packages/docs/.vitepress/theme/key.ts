import { type Ref, ref, watch } from 'vue';

const name = 'waybill.key';

/** The API key of all forms. The tab remembers it until it is closed. */
export const key: Ref<string> = ref(typeof sessionStorage === 'undefined' ? '' : (sessionStorage.getItem(name) ?? ''));

watch(key, (value) => sessionStorage.setItem(name, value));
