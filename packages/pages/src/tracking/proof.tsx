import type { JSX } from 'preact';
import { cityText } from '../text/facts.ts';
import { fullText } from '../text/times.ts';
import { inAttribute, isolated, userText } from '../text/user-text.tsx';
import { picture, pictures } from './pictures.tsx';
import type { PageContext } from './view.ts';

/** The proof of delivery, with its pictures. */
export function proof(context: PageContext): JSX.Element | undefined {
  const { view, messages, clock } = context;
  const { proof: given, shipment } = view;
  if (!given) return undefined;
  const facts: [string, string | undefined][] = [
    [messages.signedBy, given.signed_by],
    [messages.deliveredAt, fullText(new Date(given.delivered_at), clock)],
    [messages.to, shipment && `${shipment.destination.address}, ${cityText(shipment.destination)}`],
    [messages.location, given.location ? undefined : messages.noLocation],
  ];
  return (
    <section class="card proof" id="proof">
      <h2>{messages.proof}</h2>
      <dl class="facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd>{userText(value ?? '')}</dd>
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
