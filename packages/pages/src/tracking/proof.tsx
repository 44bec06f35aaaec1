import type { JSX } from 'preact';
import { nearestName } from '../places/places.ts';
import { addressLines } from '../text/addresses.ts';
import { countedText, locationText } from '../text/facts.ts';
import { fullText } from '../text/times.ts';
import { inAttribute, isolated, withUserText } from '../text/user-text.tsx';
import { picture, pictures } from './pictures.tsx';
import type { PageContext } from './view.ts';

/** The proof of a delivery or a return, with its pictures. */
export function proof(context: PageContext): JSX.Element | undefined {
  const { view, messages, clock } = context;
  const { proof: given, shipment } = view;
  if (!given) return undefined;
  const isReturn = given.status === 'returned';
  const place = isReturn ? shipment?.origin : shipment?.destination;
  const formats = { near: messages.near, locale: clock.locale };
  const facts: [string, string | undefined][] = [
    [messages.signedBy, given.signed_by && isolated(given.signed_by)],
    [isReturn ? messages.statuses.returned : messages.deliveredAt, fullText(new Date(given.delivered_at), clock)],
    [messages.to, place && isolated(addressLines(place).join(', '))],
    [
      messages.location,
      given.location ? locationText(given.location, nearestName(given.location), formats) : messages.noLocation,
    ],
    ...(given.items ?? []).map((item): [string, string] => [
      isolated(shipment?.items?.[item.index]?.description ?? messages.item(item.index + 1)),
      countedText(item, { counted: messages.counted, locale: clock.locale }),
    ]),
    [messages.remarks, given.remarks && isolated(given.remarks)],
  ];
  return (
    <section class="card proof" id="proof">
      <h2>{isReturn ? messages.returnProof : messages.proof}</h2>
      <dl class="facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div>
              <dt>{withUserText(name)}</dt>
              <dd>{withUserText(value ?? '')}</dd>
            </div>
          ))}
      </dl>
      {given.signature_url && (
        <p class="signature">
          {picture(
            given.signature_url,
            inAttribute(messages.signatureOf(isolated(given.signed_by ?? ''))),
            messages.enlarge,
          )}
        </p>
      )}
      {pictures(given.photos, context)}
    </section>
  );
}
