import { land, licenses, script, style, texts } from '../../generated/board.ts';
import { markSvg } from '../frame/mark.tsx';
import { fileMaker, type PageFile, shellOf } from '../frame/page-files.ts';

/** The page, and the folder of its other files. */
const root = '/board';

/**
 * The files of the board by their path. They are the same for everyone: the key is in the fragment of the link, which browsers
 * do not send.
 * @param baseUrl the URL of the API
 * @param cdnUrl the URL of the pictures
 */
export function boardFiles(baseUrl: string, cdnUrl: string): Record<string, PageFile> {
  const file = fileMaker([
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${new URL(cdnUrl).origin}`,
    "connect-src 'self'",
  ]);
  const shell = shellOf({
    title: 'Board · Waybill',
    api: new URL(baseUrl).pathname.replace(/\/$/, ''),
    icon: `${root}/icon.svg`,
    style: `${root}/board.css`,
    script: `${root}/main.js`,
    noscript: 'This page needs JavaScript.',
  });
  return {
    [root]: file('text/html', shell),
    [`${root}/main.js`]: file('text/javascript', script),
    ...Object.fromEntries(
      Object.entries(texts).map(([language, text]) => [`${root}/${language}.js`, file('text/javascript', text)]),
    ),
    [`${root}/board.css`]: file('text/css', style),
    [`${root}/land.json`]: file('application/json', land),
    [`${root}/icon.svg`]: file('image/svg+xml', markSvg),
    [`${root}/licenses.txt`]: file('text/plain', licenses),
  };
}
