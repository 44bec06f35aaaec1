import { isFinal, steps } from '@waybill/contract/statuses';
import type { JSX } from 'preact';
import type { Status } from '../messages/messages.ts';
import { statusText } from '../messages/text-of.ts';
import { distanceOf } from '../places/sphere.ts';
import { cityText } from '../text/addresses.ts';
import { numberFormat } from '../text/numbers.ts';
import { inAttribute, isolated, withUserText } from '../text/user-text.tsx';
import type { Arrival } from './arrival.ts';
import type { PageContext } from './view.ts';

/** The answer to "when does it arrive", and how far the shipment is. */
export function hero(context: PageContext, { headline, printed, isLate, note }: Arrival): JSX.Element {
  const { view, messages } = context;
  const { status } = view.tracking;
  return (
    <section class={`hero ${status}`} id="hero">
      <p class="state">
        <i aria-hidden="true" />
        <span role="status">{statusText(status, context)}</span>
        {isLate && <b class="late">{messages.late}</b>}
      </p>
      <h1>
        <span class={printed && 'screen'}>{withUserText(headline)}</span>
        {printed && (
          <span class="paper" aria-hidden="true">
            {inAttribute(printed)}
          </span>
        )}
      </h1>
      <p class="lead">{withUserText(leadOf(context, note))}</p>
      {(status === 'delivered' || !isFinal(status)) && progress(context)}
    </section>
  );
}

function progress(context: PageContext): JSX.Element {
  const { status, timeline } = context.view.tracking;
  const reached = steps.indexOf(status as Status);
  const isReported = (step: Status): boolean => timeline.some((entry) => entry.status === step);
  return (
    <ol class="bar" aria-label={context.messages.progress}>
      {steps.map((step, index) => {
        const isNow = index === reached;
        const isPast = index < reached || (isNow && step === 'delivered');
        const isDone = isPast && (isNow || isReported(step));
        return (
          <li
            class={isDone ? 'done' : isNow ? 'now' : isPast ? 'skipped' : undefined}
            aria-current={isNow ? 'step' : undefined}
          >
            <span>{statusText(step, context)}</span>
          </li>
        );
      })}
    </ol>
  );
}

function leadOf(context: PageContext, note: string | undefined): string {
  const { view, messages } = context;
  const { lead } = messages;
  const { tracking, shipment, proof } = view;
  const origin = shipment && isolated(cityText(shipment.origin));
  const destination = shipment && isolated(cityText(shipment.destination));
  const sentence = {
    scheduled: () => lead.scheduled(origin),
    dispatched: () => lead.dispatched(origin),
    picked_up: () => lead.picked_up(origin),
    in_transit: () => lead.in_transit(destination),
    delivered: () =>
      proof?.unattended ? lead.unattended : lead.delivered(proof?.signed_by && isolated(proof.signed_by)),
    returned: () => lead.returned,
    lost: () => lead.lost,
    cancelled: () => lead.cancelled(shipment?.cancellation_reason && isolated(shipment.cancellation_reason)),
  }[tracking.status as Status];
  const distance = tracking.status === 'in_transit' ? distanceText(context) : undefined;
  return [sentence?.(), distance && lead.distance(distance), note].filter(Boolean).join(' ');
}

/** The way that remains in a straight line, rounded; undefined if it is unknown or short. Miles in the US. */
function distanceText({ view, destination, clock, language }: PageContext): string | undefined {
  const current = view.tracking.current_location;
  if (!current || !destination) return undefined;
  const inMiles = language === 'en' && destination.country === 'US';
  const length = distanceOf(current, destination) / (inMiles ? 1.609344 : 1);
  if (length < 10) return undefined; // the destination is only known as a city
  const rounded = length < 100 ? Math.round(length / 5) * 5 : Math.round(length / 10) * 10;
  const unit = inMiles ? 'mile' : 'kilometer';
  return numberFormat(clock.locale, { style: 'unit', unit, unitDisplay: 'long' }).format(rounded);
}
