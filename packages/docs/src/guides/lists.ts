import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { descriptionOf } from '../contract.ts';
import { html, prose } from '../html.ts';
import { type Guide, operation, problemList, sample } from './guide.ts';

const { minimum, maximum, default: usual } = document.components.parameters.limit.schema;

/** Pagination. */
export const lists = async (): Promise<Guide> => ({
  id: 'lists',
  title: 'Walk through lists',
  content: html`<p>${operation('listShipments')}: ${prose(descriptionOf('listShipments'))}</p>
<p>${operation('listPositions')}: ${prose(descriptionOf('listPositions'))}</p>
<p>A page has <code>limit</code> items at the most, ${minimum} to ${maximum}, ${usual} when you do not say. While
<code>has_more</code> is true, send <code>next_cursor</code> back as <code>cursor</code> with the same filters; only
<code>limit</code> may change. There are no page numbers: a cursor says where the last page ended, so rows that come
meanwhile move nothing.</p>
${await sample('lists')}
${problemList('cursor_mismatch')}`,
});
