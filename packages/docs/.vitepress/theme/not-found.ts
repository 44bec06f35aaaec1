import { withBase } from 'vitepress';
import { h, type VNode } from 'vue';

/** The content of a page that does not exist. The default theme's is not accessible. */
export const notFound = (): VNode =>
  h('main', { class: 'not-found vp-doc' }, [
    h('h1', 'Page not found'),
    h('p', [
      'There is no page at this URL. Search for what you need, or begin with the ',
      h('a', { href: withBase('/') }, 'quickstart'),
      ' or the ',
      h('a', { href: withBase('/reference/') }, 'API reference'),
      '.',
    ]),
  ]);
