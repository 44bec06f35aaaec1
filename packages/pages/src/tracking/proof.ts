import { h, type JSX } from 'preact';
import { fullText } from '../times.ts';
import { inAttribute, isolated, userText } from '../user-text.ts';
import { picture, pictures } from './pictures.ts';
import { cityOf, type PageContext } from './view.ts';

/** The proof of delivery, with its pictures. */
export function proof(context: PageContext): JSX.Element | undefined {
  const { view, messages, clock } = context;
  const { proof: given, shipment } = view;
  if (!given) return undefined;
  const facts: [string, string | undefined][] = [
    [messages.signedBy, given.signed_by],
    [messages.deliveredAt, fullText(new Date(given.delivered_at), clock)],
    [messages.to, shipment && `${shipment.destination.address}, ${cityOf(shipment.destination)}`],
    [messages.location, given.location ? undefined : messages.noLocation],
  ];
  return h(
    'section',
    { class: 'card proof', id: 'proof' },
    h('h2', null, messages.proof),
    h(
      'dl',
      { class: 'facts' },
      facts
        .filter(([, value]) => value)
        .map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, userText(value ?? '')))),
    ),
    given.signature_url &&
      h(
        'p',
        { class: 'signature' },
        picture(
          given.signature_url,
          inAttribute(messages.signatureOf(isolated(given.signed_by ?? ''))),
          messages.enlarge,
        ),
      ),
    pictures(given.photos, context),
  );
}
