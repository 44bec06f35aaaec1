import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { html } from '../html.ts';
import { type Guide, operation, problemList, sample } from './guide.ts';

const { minimum, maximum, default: defaultLimit } = document.components.parameters.LimitParameter.schema;

export const pagination = async (): Promise<Guide> => ({
  id: 'pagination',
  title: 'Paginate through lists',
  content: html`<p>${operation('listShipments')} returns shipments newest first, ${operation('listPositions')} returns
positions oldest first. The client iterates over all pages with <code>eachShipment</code> and <code>eachPosition</code>.</p>
<p>A page has at most <code>limit</code> items, ${minimum} to ${maximum}, ${defaultLimit} by default. While
<code>has_more</code> is true, send <code>next_cursor</code> as <code>cursor</code> to get the next page. Keep all filters; only
<code>limit</code> may change. A cursor marks the last item of a page, so new items do not shift later pages.</p>
${await sample('pagination')}
${problemList('cursor_mismatch')}`,
});
