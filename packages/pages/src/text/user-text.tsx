import type { ComponentChildren, JSX } from 'preact';

/** First strong isolate and pop directional isolate (UAX #9). */
const [isolateStart, isolateEnd] = ['\u2068', '\u2069'];
/** Left-to-right isolate, which marks the name of a time zone. */
const zoneStart = '\u2066';

/** Characters that are written from right to left, or change the direction. Only texts with one affect what is around them. */
const rightToLeft =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const withoutIsolates = (text: string): string => text.replace(/[\u2066-\u2069]/g, '');

/** What a person has written, as a part of a text: its direction has no effect on the text around it. */
export const isolated = (text: string): string => `${isolateStart}${withoutIsolates(text)}${isolateEnd}`;

/** What a person has written, in an element. */
export const userText = (text: string): JSX.Element => <bdi>{withoutIsolates(text)}</bdi>;

/** The name of a time zone, as a part of a text: readers with the same time do not see it. */
export const markedZone = (name: string): string => `${zoneStart}${name}${isolateEnd}`;

/** A text with isolated and marked parts, for an element. */
export const withUserText = (text: string): ComponentChildren =>
  onlyNeeded(text)
    .split(/([\u2066\u2068][^\u2069]*\u2069)/)
    .map((piece) => {
      if (piece.startsWith(zoneStart)) return <span class="zone-name">{withoutIsolates(piece)}</span>;
      return piece.startsWith(isolateStart) ? userText(piece) : piece;
    });

/** A text with isolated and marked parts, for an attribute or a title. */
export const inAttribute = (text: string): string => onlyNeeded(text).replace(/\u2066([^\u2069]*)\u2069/g, '$1');

/** A text without isolates that have no effect. */
const onlyNeeded = (text: string): string =>
  text.replace(/\u2068([^\u2069]*)\u2069/g, (marked, own: string) => (rightToLeft.test(own) ? marked : own));

/** A carrier with its code. */
export const carrierText = ({ name, scac }: { name: string; scac?: string }): string =>
  [name, scac].flatMap((text) => (text === undefined ? [] : isolated(text))).join(' · ');
