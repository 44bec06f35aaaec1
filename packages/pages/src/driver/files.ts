import { createHash } from 'node:crypto';
import { licenses, script, style, worker } from '../../generated/driver.ts';
import { markSvg } from '../frame/mark.tsx';
import { fileMaker, type PageFile, shellOf } from '../frame/page-files.ts';

/** The folder of the page, and the scope of its service worker. */
const root = '/d/';

/**
 * The files of the driver page by their path. They are the same for everyone: the token is in the fragment of the link,
 * which browsers do not send.
 * @param baseUrl the URL of the API
 */
export function driverFiles(baseUrl: string): Record<string, PageFile> {
  const { origin, pathname } = new URL(baseUrl);
  const file = fileMaker([
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "manifest-src 'self'",
    "worker-src 'self'",
    `connect-src 'self' ${origin}`, // uploads have absolute URLs
  ]);
  const shell = shellOf({
    title: 'Waybill',
    api: pathname.replace(/\/$/, ''),
    icon: `${root}icon.svg`,
    style: `${root}driver.css`,
    script: `${root}main.js`,
    head: [
      '<meta name="format-detection" content="telephone=no">',
      '<meta name="theme-color" content="#10233a">',
      `<link rel="manifest" href="${root}manifest.webmanifest">`,
    ],
    noscript: 'This page needs JavaScript. Call your dispatcher.',
  });
  const files = {
    [root]: file('text/html', shell),
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
