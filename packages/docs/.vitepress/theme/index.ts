import { onContentUpdated, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { showServiceUrl } from './service-url.ts';
import './style.css';
import './operation.css';
import TryIt from './TryIt.vue';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('TryIt', TryIt),
  setup: () => onContentUpdated(showServiceUrl),
};

export default theme;
