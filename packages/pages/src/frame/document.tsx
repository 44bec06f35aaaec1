import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { hashes, script, style } from '../../generated/assets.ts';
import { type Language, languages } from '../messages/languages.ts';
import { languageLinks } from './language-links.tsx';
import { markSvg } from './mark.tsx';
import { pageHeaders } from './page-files.ts';

/** A page, and the headers that it needs. */
export interface PageDocument {
  html: string;
  headers: Record<string, string>;
}

interface DocumentParts {
  language: Language;
  title: string;
  description?: string;
  body: ComponentChildren;
  /** Of the element `body`. */
  attributes?: Record<string, string>;
  /** All pictures of the page: their origins are permitted. */
  imageUrls?: string[];
  /** Whether the page has the script, which follows changes. */
  isLive: boolean;
}

/** A whole HTML document with the style and the script of the pages. No browser or proxy stores it, and no search engine. */
export function documentOf(parts: DocumentParts): PageDocument {
  const { language, title, description, body, attributes = {}, imageUrls = [], isLive } = parts;
  const { locale } = languages[language];
  const html = render(
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        {description && <meta name="description" content={description} />}
        <title>{title}</title>
        <link rel="icon" href={icon} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body {...attributes}>
        {body}
        {languageLinks(language, languages[language].tracking.languages)}
        {isLive && <script type="module" dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>,
  );
  return { html: `<!doctype html>${html}`, headers: headersOf(imageUrls) };
}

function headersOf(imageUrls: string[]): Record<string, string> {
  const origins = [...new Set(imageUrls.map((url) => new URL(url).origin))];
  const directives = [
    `style-src ${hashes.style}`,
    `script-src ${hashes.script}`,
    ["img-src 'self' data:", ...origins].join(' '),
    "connect-src 'self'",
  ];
  return {
    ...pageHeaders('text/html', directives),
    'cache-control': 'no-store',
    vary: 'Accept-Language, Accept-Encoding',
  };
}

const icon = `data:image/svg+xml,${encodeURIComponent(markSvg)}`;
