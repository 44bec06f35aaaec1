import type { JSX } from 'preact';
import type { PageContext } from './view.ts';

/** Photos in a row. Each leads to the whole picture. */
export function pictures(urls: string[], { messages }: PageContext): JSX.Element | undefined {
  if (urls.length === 0) return undefined;
  return (
    <ul class="pictures">
      {urls.map((url, index) => (
        <li>{picture(url, messages.photo(index + 1, urls.length), messages.enlarge)}</li>
      ))}
    </ul>
  );
}

/** An image that is also a link to its file. @param url a signed URL, which is valid for about an hour */
export const picture = (url: string, text: string, enlarge: string): JSX.Element => (
  <a href={url} target="_blank" rel="noreferrer" title={enlarge}>
    <img src={url} alt={text} loading="lazy" decoding="async" referrerpolicy="no-referrer" />
  </a>
);
