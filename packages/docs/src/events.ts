import { eventData, eventMeanings } from '@waybill/contract/events';
import { line, table } from './markdown.ts';

/** A row for each type of event. */
export const eventTable = (): string =>
  table(
    ['Type', 'Data', 'Meaning'],
    Object.entries(eventMeanings).map(([type, meaning]) => [
      `\`${type}\``,
      `\`${eventData[type as keyof typeof eventData]}\``,
      line(meaning),
    ]),
  );
