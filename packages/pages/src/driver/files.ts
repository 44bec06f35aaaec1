import { createHash } from 'node:crypto';
import { licenses, script, style, worker } from '../../generated/driver.ts';
import { markSvg } from '../mark.ts';

/** A file of the driver page, and the headers that it needs. */
export interface PageFile {
  headers: Record<string, string>;
  body: string;
}

/** The folder of the page, and the scope of its service worker. */
const root = '/d/';

/**
 * The files of the driver page by their path. They are the same for everyone: the token is in the fragment of the link,
 * which browsers do not send.
 * @param baseUrl the URL of the API
 */
export function driverFiles(baseUrl: string): Record<string, PageFile> {
  const { origin, pathname } = new URL(baseUrl);
  const api = pathname.replace(/\/$/, '');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "manifest-src 'self'",
    "worker-src 'self'",
    `connect-src 'self' ${origin}`, // uploads have absolute URLs
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const file = (type: string, body: string): PageFile => ({
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    },
    body,
  });
  const files = {
    [root]: file('text/html', shell(api)),
    [`${root}main.js`]: file('text/javascript', script),
    [`${root}driver.css`]: file('text/css', style),
    [`${root}manifest.webmanifest`]: file('application/manifest+json', manifest),
    [`${root}icon.svg`]: file('image/svg+xml', markSvg),
  };
  // A new version of any file is a new service worker, which stores all of them again.
  const version = createHash('sha256')
    .update(JSON.stringify([files, worker]))
    .digest('base64url')
    .slice(0, 16);
  const start = `const version=${JSON.stringify(version)},files=${JSON.stringify(Object.keys(files))};`;
  return {
    ...files,
    [`${root}worker.js`]: file('text/javascript', `${start}${worker}`),
    [`${root}licenses.txt`]: file('text/plain', licenses),
  };
}

const shell = (api: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#10233a">
<title>Waybill</title>
<link rel="icon" href="${root}icon.svg">
<link rel="manifest" href="${root}manifest.webmanifest">
<link rel="stylesheet" href="${root}driver.css">
<script type="module" src="${root}main.js"></script>
</head>
<body>
<div id="app" data-api="${api}"></div>
<noscript>This page needs JavaScript. Call your dispatcher.</noscript>
</body>
</html>
`;

const manifest = JSON.stringify({
  name: 'Waybill driver',
  short_name: 'Waybill',
  start_url: root,
  scope: root,
  display: 'standalone',
  background_color: '#fbfaf7',
  theme_color: '#10233a',
  icons: [{ src: `${root}icon.svg`, sizes: 'any', type: 'image/svg+xml' }],
});
