import { lifecycle } from '@waybill/contract/lifecycle';
import { initialStatus } from '@waybill/contract/statuses';
import { textOf } from '../text/text-of.ts';
import type { TrackingMessages } from './messages.ts';

interface Page<Name extends keyof TrackingMessages> {
  messages: Pick<TrackingMessages, Name>;
}

/** The status in words; one that is newer than the messages is shown as it is. */
export const statusText = (status: string, { messages }: Page<'statuses'>): string =>
  textOf(messages.statuses, status) ?? status.replaceAll('_', ' ');

/** The type of a document in words. */
export const documentText = (type: string, { messages }: Page<'documentTypes'>): string =>
  textOf(messages.documentTypes, type) ?? messages.documentTypes.other;

/** The code of an exception in words. */
export const exceptionText = (code: string, { messages }: Page<'exceptions' | 'otherException'>): string =>
  textOf(messages.exceptions, code) ?? messages.otherException;

interface Event {
  status: string;
  description: string;
  voided_at?: string | undefined;
}

/**
 * An entry of the timeline in words, and its description, unless that is the one of the service in English. A creation that is not the
 * first entry says that it was entered late.
 */
export function eventText(
  { status, description }: Event,
  page: Page<'statuses' | 'events' | 'enteredLate'>,
  timeline: Event[],
): { title: string; description: string | undefined } {
  const isDefault = lifecycle[status as keyof typeof lifecycle]?.description === description;
  const title = textOf(page.messages.events, status) ?? statusText(status, page);
  const isLate = status === initialStatus && timeline.find(({ voided_at }) => !voided_at)?.status !== status;
  const shown = isLate ? page.messages.enteredLate(title) : title;
  return { title: shown, description: isDefault || description === '' ? undefined : description };
}
