import { isFinal, isStatus, rankOf } from '@waybill/contract/statuses';
import type { JSX } from 'preact';
import { eventText } from '../messages/text-of.ts';
import { fullText, timeText } from '../text/times.ts';
import { inAttribute, isolated, withUserText } from '../text/user-text.tsx';
import { exceptionText } from './exceptions.tsx';
import type { PageContext } from './view.ts';

interface Entry {
  at: string;
  title: string;
  text: string | undefined;
  kind: 'event' | 'exception';
  status?: string;
  severity?: string;
}

/** What has happened, newest first: the statuses and the exceptions. */
export function timeline(context: PageContext): JSX.Element {
  const { messages, clock } = context;
  const entries = entriesOf(context);
  const hasEnded = isFinal(context.view.tracking.status);
  const current = hasEnded ? undefined : entries.find(({ status }) => status === context.view.tracking.status);
  return (
    <section class="card" id="timeline">
      <h2>{messages.timeline}</h2>
      {entries.length === 0 ? (
        <p class="empty">{messages.emptyTimeline}</p>
      ) : (
        <ol class="time">
          {entries.map((entry) => (
            <li class={entry.kind === 'exception' ? `ex ${entry.severity}` : entry === current ? 'now' : undefined}>
              <b>{entry.title}</b>
              {entry.text && <p>{withUserText(entry.text)}</p>}
              <time datetime={entry.at} title={inAttribute(fullText(new Date(entry.at), clock))}>
                {withUserText(timeText(new Date(entry.at), clock))}
              </time>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function entriesOf(context: PageContext): Entry[] {
  const { messages, view, clock } = context;
  const { timeline, exceptions = [] } = view.tracking;
  const events = timeline.map((event): Entry => {
    const { title, description } = eventText(event, context, timeline);
    const text = description && isolated(description);
    return { at: event.timestamp, title, text, kind: 'event', status: event.status };
  });
  const merged: Entry[] = [...events];
  for (const exception of exceptions.toSorted((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at))) {
    const { occurred_at, resolved_at, severity, shipment_status } = exception;
    const text = resolved_at && messages.resolved(timeText(new Date(resolved_at), clock));
    const entry: Entry = {
      at: occurred_at,
      title: exceptionText(exception, context),
      text,
      kind: 'exception',
      severity,
    };
    // Of a time, it follows the statuses until that in which it was raised.
    const before = merged.findLastIndex(
      ({ at, status }) =>
        Date.parse(at) < Date.parse(occurred_at) ||
        (Date.parse(at) === Date.parse(occurred_at) && !isFurther(status, shipment_status)),
    );
    merged.splice(before + 1, 0, entry);
  }
  return merged.reverse();
}

/** Whether an entry is of a status that follows another one. Statuses that are newer than this page do not. */
const isFurther = (status: string | undefined, other: string): boolean =>
  status !== undefined && isStatus(status) && isStatus(other) && rankOf(status) > rankOf(other);
