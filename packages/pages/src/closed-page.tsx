import { documentOf, type PageDocument } from './frame/document.tsx';
import { mark } from './frame/mark.tsx';
import { type Language, languages } from './messages/languages.ts';

/** Why a link shows no shipment: `unknown` also for one that was withdrawn, `busy` for a limit, an overload or an error. */
export type ClosedReason = 'expired' | 'unknown' | 'busy';

/** Renders the page of a link that shows no shipment. */
export function closedPage(reason: ClosedReason, language: Language): PageDocument {
  const { title, text } = languages[language].tracking.closed[reason];
  return documentOf({
    language,
    title,
    body: (
      <>
        <header class="top">
          {mark()}
          <b class="sender">Waybill</b>
        </header>
        <main id="main">
          <section class="hero closed">
            <h1>{title}</h1>
            <p>{text}</p>
          </section>
        </main>
      </>
    ),
    isLive: false,
  });
}
