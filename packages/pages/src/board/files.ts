import { land, licenses, script, style } from '../../generated/board.ts';
import type { PageFile } from '../driver/files.ts';
import { markSvg } from '../mark.ts';

/**
 * The files of the board by their path. They are the same for everyone: the key is in the fragment of the link, which browsers
 * do not send.
 * @param baseUrl the URL of the API
 * @param cdnUrl the URL of the pictures
 */
export function boardFiles(baseUrl: string, cdnUrl: string): Record<string, PageFile> {
  const { pathname } = new URL(baseUrl);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${new URL(cdnUrl).origin}`,
    "connect-src 'self'",
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
  return {
    '/board': file('text/html', shell(pathname.replace(/\/$/, ''))),
    '/board/main.js': file('text/javascript', script),
    '/board/board.css': file('text/css', style),
    '/board/land.json': file('application/json', land),
    '/board/icon.svg': file('image/svg+xml', markSvg),
    '/board/licenses.txt': file('text/plain', licenses),
  };
}

const shell = (api: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Board · Waybill</title>
<link rel="icon" href="/board/icon.svg">
<link rel="stylesheet" href="/board/board.css">
<script type="module" src="/board/main.js"></script>
</head>
<body>
<div id="app" data-api="${api}"></div>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;
