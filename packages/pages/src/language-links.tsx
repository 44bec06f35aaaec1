import type { JSX } from 'preact';
import { type Language, locales } from './messages/locales.ts';

/** Each language in itself. */
const names: Record<Language, string> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  pt: 'Português',
  zh: '中文',
};

/** Links to a page in each language. @param label in the language of the page */
export const languageLinks = (language: Language, label: string): JSX.Element => (
  <nav class="languages" aria-label={label}>
    {(Object.keys(names) as Language[]).map((name) => (
      <a
        href={`?lang=${name}`}
        lang={locales[name]}
        hreflang={locales[name]}
        aria-current={name === language ? 'true' : undefined}
      >
        {names[name]}
      </a>
    ))}
  </nav>
);
