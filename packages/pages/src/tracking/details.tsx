import type { JSX } from 'preact';
import { addressLines } from '../text/addresses.ts';
import { itemList } from '../text/items.tsx';
import { phoneUrl } from '../text/phone.ts';
import { isolated, userText, withUserText } from '../text/user-text.tsx';
import type { PageContext } from './view.ts';

type Shipment = NonNullable<PageContext['view']['shipment']>;

/** From where, to where, and what. */
export function details(context: PageContext): JSX.Element | undefined {
  const { view, messages, clock } = context;
  const { shipment } = view;
  if (!shipment) return undefined;
  return (
    <section class="card" id="details">
      <h2>{messages.details}</h2>
      <div class="addresses">
        {address(messages.from, shipment.origin, clock.locale)}
        {address(messages.to, shipment.destination, clock.locale)}
      </div>
      {shipment.items && itemList(shipment.items, { ...messages, locale: clock.locale })}
    </section>
  );
}

const address = (title: string, place: Shipment['origin'], locale: string): JSX.Element => (
  <address>
    <b class="address-title">{title}</b>
    {addressLines(place, { locale, isWithContact: true }).map((line) => (
      <span>{userText(line)}</span>
    ))}
  </address>
);

/** The phone of the sender, and what only a script can do, which shows these buttons. */
export function actions({ view, messages }: PageContext): JSX.Element {
  const { contact_phone: phone, contact_name: name } = view.shipment?.origin ?? {};
  const href = phone && phoneUrl(phone);
  return (
    <div class="card row" id="actions">
      {href && (
        <a class="button primary" href={href}>
          {withUserText(messages.callSender(name && isolated(name)))}
        </a>
      )}
      <button type="button" hidden data-action="share" data-done={messages.copied}>
        {messages.share}
      </button>
      <button type="button" hidden data-action="print">
        {messages.print}
      </button>
    </div>
  );
}
