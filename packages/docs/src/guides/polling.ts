import { headerLines } from '../contract.ts';
import { html } from '../html.ts';
import { type Guide, operation, sample } from './guide.ts';

/** Conditional reads. */
export const polling = async (): Promise<Guide> => ({
  id: 'polling',
  title: 'Poll for changes',
  content: html`<p>Responses of ${operation('getShipment')}, ${operation('getTracking')} and
${operation('getProofOfDelivery')} have an <code>ETag</code>, which identifies their current state:</p>
<pre><code>${headerLines('ETag', 'Cache-Control', 'Vary')}</code></pre>
<p>Send it as <code>If-None-Match</code>. If nothing has changed, the service returns 304 without a body. In the client this is
the option <code>ifNoneMatch</code>.</p>
${await sample('polling')}
<p>Poll every 15 seconds for a map, and every few minutes for a list of orders. Every read counts towards the
<a href="#rate-limits">rate limit</a>, including a 304. The ETag of a proof does not change with its signed URLs: read the proof
without <code>ifNoneMatch</code> to get new URLs.</p>`,
});
