import { h } from 'preact';
import { documentOf, type PageDocument } from './document.ts';
import { mark } from './mark.ts';
import { type Language, languages } from './messages/languages.ts';

/** Why a link shows no shipment: `unknown` also for one that was withdrawn, `busy` for a limit, an overload or an error. */
export type ClosedReason = 'expired' | 'unknown' | 'busy';

/** Renders the page of a link that shows no shipment. */
export function closedPage(reason: ClosedReason, language: Language): PageDocument {
  const { title, text } = languages[language].tracking.closed[reason];
  return documentOf({
    language,
    title,
    body: [
      h('header', { class: 'top' }, mark(), h('b', { class: 'sender' }, 'Waybill')),
      h('main', { id: 'main' }, h('section', { class: 'hero closed' }, h('h1', null, title), h('p', null, text))),
    ],
    isLive: false,
  });
}
