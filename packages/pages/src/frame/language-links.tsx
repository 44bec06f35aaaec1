import type { JSX } from 'preact';
import { type Language, languageNames, languages } from '../messages/languages.ts';

/** Links to a page in each language. @param label in the language of the page */
export const languageLinks = (language: Language, label: string): JSX.Element => (
  <nav class="languages" aria-label={label}>
    {languageNames.map((name) => (
      <a
        href={`?lang=${name}`}
        lang={languages[name].locale}
        hreflang={languages[name].locale}
        aria-current={name === language ? 'true' : undefined}
      >
        {languages[name].name}
      </a>
    ))}
  </nav>
);
