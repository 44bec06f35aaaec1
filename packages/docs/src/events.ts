import { eventData } from '@waybill/contract/events';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { line, table } from './markdown.ts';

const meanings: Record<string, string> = document.components.schemas.EventType['x-enumDescriptions'];

/** A row for each type of event. */
export const eventTable = (): string =>
  table(
    ['Type', 'Data', 'Meaning'],
    Object.entries(eventData).map(([type, data]) => [`\`${type}\``, `\`${data}\``, line(meanings[type] ?? '')]),
  );
