import { inBrowser, onContentUpdated, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, nextTick } from 'vue';
import { CopyPage } from './copy-page.ts';
import { rememberLanguage, showLanguage } from './language.ts';
import { notFound } from './not-found.ts';
import { openTarget } from './open-target.ts';
import { showServiceUrl } from './service-url.ts';
import { showActiveLink } from './sidebar.ts';
import './tokens.css';
import './style.css';
import './landing.css';
import './operation.css';
import './try-it.css';
import TryIt from './TryIt.vue';

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound, 'doc-before': () => h(CopyPage) }),
  enhanceApp: ({ app }) => void app.component('TryIt', TryIt),
  setup: () => {
    if (inBrowser) rememberLanguage();
    onContentUpdated(async () => {
      showLanguage();
      await nextTick(); // the sidebar marks the link
      showActiveLink();
      openTarget();
      await showServiceUrl();
    });
  },
};

export default theme;
