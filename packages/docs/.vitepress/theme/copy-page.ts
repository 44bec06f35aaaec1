import { useData, withBase } from 'vitepress';
import { type Component, defineComponent, h, ref, watch } from 'vue';

/** A button that copies the Markdown of the page, and a link to it: without HTTPS, a page may not write to the clipboard. */
export const CopyPage: Component = defineComponent(() => {
  const { page } = useData();
  const text = ref('Copy page');
  watch(page, () => (text.value = 'Copy page'));
  return () => {
    const url = withBase(`/${page.value.relativePath}`);
    const copy = async (): Promise<void> => {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`The Markdown of the page is missing: ${response.status}`);
      await navigator.clipboard.writeText(await response.text());
    };
    const onClick = () =>
      copy().then(
        () => (text.value = 'Copied'),
        () => location.assign(url),
      );
    return h('nav', { class: 'copy-page', 'aria-label': 'Markdown of this page' }, [
      h('button', { type: 'button', 'aria-live': 'polite', onClick }, text.value),
      h('a', { href: url, target: '_self' }, 'Markdown'),
    ]);
  };
});
