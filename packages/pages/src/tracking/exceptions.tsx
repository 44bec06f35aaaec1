import type { ComponentChildren, JSX } from 'preact';
import { exceptionText as codeText } from '../messages/text-of.ts';
import { textOf } from '../text/text-of.ts';
import { timeText } from '../text/times.ts';
import { isolated, userText, withUserText } from '../text/user-text.tsx';
import { pictures } from './pictures.tsx';
import type { PageContext } from './view.ts';

type Exception = NonNullable<PageContext['view']['tracking']['exceptions']>[number];

/** What goes wrong with a shipment, in words. One of the pickup or the delivery says so. */
export function exceptionText({ code, shipment_status }: Exception, { messages }: PageContext): string {
  const text = codeText(code, { messages });
  const isAttempt = ['appointment_missed', 'nobody_there', 'refused', 'address_wrong', 'closed'].includes(code);
  if (!isAttempt) return text;
  return `${shipment_status === 'dispatched' ? messages.concerns.pickup : messages.concerns.delivery}: ${text}`;
}

/** The exceptions that are open, or those that ended. Open ones are what a visitor has to know first. */
export function exceptions(context: PageContext, isOpen: boolean): JSX.Element | undefined {
  const shown = context.view.tracking.exceptions?.filter(({ resolved_at }) => (resolved_at === undefined) === isOpen);
  if (!shown?.length) return undefined;
  return (
    <div class="notes" id={isOpen ? 'open-exceptions' : 'exceptions'}>
      {shown.map((exception) => note(exception, context))}
    </div>
  );
}

function note(exception: Exception, context: PageContext): JSX.Element {
  const { messages, clock, view } = context;
  const { resolved_at, occurred_at, description, resolution, location, severity } = exception;
  const time = (at: string): string => timeText(new Date(at), clock);
  return (
    <article class={`note ${resolved_at ? 'resolved' : severity}`}>
      <h2>{exceptionText(exception, context)}</h2>
      {description && <p>{userText(description)}</p>}
      <p class="when">{about(messages.reported(time(occurred_at)), location?.address)}</p>
      {resolved_at ? (
        <p class="when">{about(messages.resolved(time(resolved_at)), resolution)}</p>
      ) : (
        <p>{nextSteps(exception, context)}</p>
      )}
      {pictures(view.exceptionPhotos[exception.id] ?? [], context)}
    </article>
  );
}

/** What may happen next. Nobody but customs knows when a shipment goes on that they hold. */
function nextSteps({ code, next_steps }: Exception, { messages }: PageContext): string {
  if (code === 'customs_hold') return messages.customs;
  return next_steps.flatMap((step) => textOf(messages.steps, step) ?? []).join(' ');
}

/** When, and what a person has written about it. */
const about = (when: string, text: string | undefined): ComponentChildren =>
  withUserText([when, text && isolated(text)].filter(Boolean).join(' · '));
