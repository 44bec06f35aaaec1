import { type Ref, ref } from 'vue';

/** The API key of all forms. It is kept in memory only, and forgotten when the page is reloaded. */
export const key: Ref<string> = ref('');
