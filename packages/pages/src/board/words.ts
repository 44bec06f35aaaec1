import * as words from '../messages/text-of.ts';
import { isolated } from '../text/user-text.tsx';
import type { Punctuality } from './shipments/punctuality.ts';
import { locale, messages } from './texts.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const unknown = '–';

const number = new Intl.NumberFormat(locale);
export const numberText = (value: number): string => number.format(value);

/** Such as "5 min", "1 h 20 min" or "3 d". @param time milliseconds */
export function durationText(time: number): string {
  const { units } = messages;
  if (time >= 2 * day) return `${Math.round(time / day)} ${units.day}`;
  const minutes = Math.max(1, Math.round(time / minute));
  if (minutes < 60) return `${minutes} ${units.minute}`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} ${units.hour}${rest > 0 ? ` ${rest} ${units.minute}` : ''}`;
}

/** How long ago a shipment was seen. @param time milliseconds */
export const seenText = (time: number): string => (time < minute ? messages.now : durationText(time));

export const statusText = (status: string): string => words.statusText(status, { messages });

export const exceptionText = (code: string): string => words.exceptionText(code, { messages });

/** From where to where. */
export const routeText = (from: string, to: string): string => `${isolated(from)} → ${isolated(to)}`;

export function punctualityText(punctuality: Punctuality): string {
  if (punctuality.kind === 'late') return messages.late(durationText(punctuality.by));
  if (punctuality.kind !== 'risk') return punctuality.kind === 'on_time' ? messages.onTime : '';
  if (punctuality.reason === 'silent') return messages.silent(durationText(punctuality.by));
  return punctuality.reason === 'pickup' ? messages.notPickedUp : messages.atRisk;
}
