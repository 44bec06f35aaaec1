import type { JSX } from 'preact';
import { documentText } from '../messages/text-of.ts';
import { fileSizeText } from '../text/facts.ts';
import { userText } from '../text/user-text.tsx';
import type { PageContext } from './view.ts';

/** The documents, each with a link to its file. */
export function documents({ view, messages, clock }: PageContext): JSX.Element | undefined {
  if (view.documents.length === 0) return undefined;
  return (
    <section class="card" id="documents">
      <h2>{messages.documents}</h2>
      <ul class="items">
        {view.documents.map(({ url, type, description, size }) => (
          <li>
            <a href={url} target="_blank" rel="noreferrer">
              {documentText(type, { messages })}
            </a>
            <small>{fileSizeText(size, clock.locale)}</small>
            {description && <span class="description">{userText(description)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
