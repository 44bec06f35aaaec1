import type { JSX } from 'preact';
import { type Formats, freightText, type Item, sizeText } from './facts.ts';
import { phoneUrl } from './phone.ts';
import { userText } from './user-text.tsx';

type Hazmat = NonNullable<Item['hazmat']>;
type ItemFormats = Pick<Formats, 'pieces' | 'cargo' | 'locale'>;

/** What is shipped, a line for each kind of pieces. */
export const itemList = (items: Item[], formats: ItemFormats): JSX.Element => (
  <ul class="items">
    {items.map((item) => (
      <li>
        <span>{userText(item.description)}</span>
        <small>{[freightText(item, formats), sizeText(item, formats)].filter(Boolean).join(' · ')}</small>
        {item.hazmat && hazmatLine(item.hazmat, formats)}
      </li>
    ))}
  </ul>
);

/** In the order of shipping papers, and whom to call. */
function hazmatLine(hazmat: Hazmat, { cargo }: ItemFormats): JSX.Element {
  const { id, proper_shipping_name: name, class: hazardClass, packing_group: group, emergency_phone: phone } = hazmat;
  const href = phone && phoneUrl(phone);
  return (
    <strong class="hazmat">
      {cargo.hazmat}: {id}
      {name && <>, {userText(name)}</>}
      {hazardClass && <>, {userText(hazardClass)}</>}
      {group && `, PG ${group}`}
      {phone && (
        <>
          {' · '}
          {cargo.emergency}: {href ? <a href={href}>{userText(phone)}</a> : userText(phone)}
        </>
      )}
    </strong>
  );
}
