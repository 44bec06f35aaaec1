import { join } from 'node:path';
import { defineConfig, type UserConfig } from 'vitepress';
import { basePath, defaultOrigin } from '../src/contract.ts';
import { generatePages } from '../src/generate.ts';
import { codeTheme } from '../src/site/code-theme.ts';
import { finishSite } from '../src/site/finish.ts';
import { sidebar } from '../src/site/navigation.ts';
import { labelCells } from '../src/site/table-labels.ts';
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
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/mark.svg' }]],
  transformHead: ({ assets }) =>
    assets
      .filter((asset) => asset.endsWith('.woff2'))
      .map((href) => ['link', { rel: 'preload', as: 'font', type: 'font/woff2', href, crossorigin: '' }]),
  markdown: {
    theme: codeTheme,
    config: (md) => {
      labelCells(md);
      md.core.ruler.before('normalize', 'values', (state) => {
        state.src = withValues(state.src);
      });
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/quickstart', activeMatch: '^/(quickstart|guides/|lifecycle)' },
      { text: 'API reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Errors', link: '/errors/', activeMatch: '^/errors/' },
      { text: 'Workflows', link: '/workflows/', activeMatch: '^/workflows/' },
    ],
    logo: '/mark.svg',
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true } },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  buildEnd: ({ pages, rewrites, srcDir, outDir, site }) => {
    const files = pages.map((page) => ({
      file: join(srcDir, page),
      path: (rewrites.map[page] ?? page).replace(/\.md$/, ''),
    }));
    return finishSite(files, site.base, outDir);
  },
  vite: {
    // The default of Vite after the sources of the client, which need not be built.
    resolve: { conditions: ['waybill-source', 'module', 'browser', 'development|production'] },
    server: { proxy: { [basePath]: defaultOrigin, '/openapi.json': defaultOrigin } },
  },
});

export default config;
