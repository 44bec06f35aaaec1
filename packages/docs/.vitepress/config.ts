import { join } from 'node:path';
import { defineConfig, type UserConfig } from 'vitepress';
import { basePath, defaultOrigin } from '../src/contract.ts';
import { finishSite } from '../src/finish.ts';
import { generatePages } from '../src/generate.ts';
import { sidebar } from '../src/navigation.ts';
import { withValues } from '../src/values.ts';

await generatePages();

const config: UserConfig = defineConfig({
  title: 'Waybill',
  titleTemplate: ':title – Waybill docs',
  description: 'Create freight shipments, track them and read their proof of delivery.',
  lang: 'en',
  base: '/docs/',
  cleanUrls: true,
  metaChunk: true,
  srcExclude: ['README.md', 'node_modules/**', 'dist/**'],
  rewrites: { 'generated/:path(.*)': ':path' },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      md.core.ruler.before('normalize', 'values', (state) => {
        state.src = withValues(state.src);
      });
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/', activeMatch: '^/(guides/.*)?$' },
      { text: 'API reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Errors', link: '/errors/', activeMatch: '^/errors/' },
      { text: 'Workflows', link: '/workflows/', activeMatch: '^/workflows/' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: false } },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  buildEnd: ({ pages, rewrites, srcDir, outDir, site }) => {
    const files = pages.map((page) => ({
      file: join(srcDir, page),
      path: (rewrites.map[page] ?? page).replace(/\.md$/, ''),
    }));
    return finishSite(files, site.base, outDir);
  },
  vite: { server: { proxy: { [basePath]: defaultOrigin, '/openapi.json': defaultOrigin } } },
});

export default config;
