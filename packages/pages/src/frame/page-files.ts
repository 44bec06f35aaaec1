/** A file of a page that runs in the browser, and the headers that it needs. */
export interface PageFile {
  headers: Record<string, string>;
  body: string;
}

/**
 * The headers of a page or one of its files. No other site shows it or learns its URL, and no search engine lists it.
 * @param directives of its Content-Security-Policy: what it loads
 */
export const pageHeaders = (type: string, directives: string[]): Record<string, string> => ({
  'content-type': `${type}; charset=utf-8`,
  'content-security-policy': [
    "default-src 'none'",
    ...directives,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
});

/** Makes the function that makes the files of a page. @param directives as in `pageHeaders` */
export const fileMaker =
  (directives: string[]) =>
  (type: string, body: string): PageFile => ({
    headers: { ...pageHeaders(type, directives), 'cache-control': 'no-cache', vary: 'Accept-Encoding' },
    body,
  });

interface Shell {
  title: string;
  /** The path of the API. */
  api: string;
  /** Paths. */
  icon: string;
  style: string;
  script: string;
  /** More elements of the head. */
  head?: string[];
  /** What a browser without JavaScript shows. */
  noscript: string;
}

/** The document of a page that its script draws. */
export const shellOf = ({ title, api, icon, style, script, head = [], noscript }: Shell): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
${[...head, `<title>${title}</title>`].join('\n')}
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app" data-api="${api}"></div>
<noscript>${noscript}</noscript>
</body>
</html>
`;
