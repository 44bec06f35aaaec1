import { h, type JSX } from 'preact';
import { freightText } from '../facts.ts';
import { phoneUrl } from '../phone.ts';
import { isolated, userText, withUserText } from '../user-text.ts';
import { cityOf, type PageContext } from './view.ts';

type Shipment = NonNullable<PageContext['view']['shipment']>;

/** From where, to where, and what. */
export function details(context: PageContext): JSX.Element | undefined {
  const { view, messages, clock } = context;
  const { shipment } = view;
  if (!shipment) return undefined;
  return h(
    'section',
    { class: 'card', id: 'details' },
    h('h2', null, messages.details),
    h(
      'div',
      { class: 'addresses' },
      address(messages.from, shipment.origin),
      address(messages.to, shipment.destination),
    ),
    shipment.items &&
      h(
        'ul',
        { class: 'items' },
        shipment.items.map((item) =>
          h(
            'li',
            null,
            h('span', null, userText(item.description)),
            h('small', null, freightText(item, { pieces: messages.pieces, locale: clock.locale })),
          ),
        ),
      ),
  );
}

const address = (
  title: string,
  { address, city, state, zip, country, contact_name }: Shipment['origin'],
): JSX.Element =>
  h(
    'address',
    null,
    h('b', { class: 'address-title' }, title),
    [contact_name, address, `${cityOf({ city, state })} ${zip}`, country]
      .filter((line) => line !== undefined)
      .map((line) => h('span', null, userText(line))),
  );

/** The phone of the sender, and what only a script can do, which shows these buttons. */
export function actions({ view, messages }: PageContext): JSX.Element {
  const { contact_phone: phone, contact_name: name } = view.shipment?.origin ?? {};
  const href = phone && phoneUrl(phone);
  return h(
    'div',
    { class: 'card row', id: 'actions' },
    href && h('a', { class: 'button primary', href }, withUserText(messages.callSender(name && isolated(name)))),
    h('button', { type: 'button', hidden: true, 'data-action': 'share', 'data-done': messages.copied }, messages.share),
    h('button', { type: 'button', hidden: true, 'data-action': 'print' }, messages.print),
  );
}
