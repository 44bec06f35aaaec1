import { headerLines } from '../contract.ts';
import { html } from '../html.ts';
import { type Guide, operation, sample } from './guide.ts';

/** Conditional reads. */
export const polling = async (): Promise<Guide> => ({
  id: 'polling',
  title: 'Follow a shipment',
  content: html`<p>Ask again and again, but cheaply. The answers of ${operation('getShipment')},
${operation('getTracking')} and ${operation('getProofOfDelivery')} carry an <code>ETag</code>, which stands for what they
say:</p>
<pre><code>${headerLines('ETag', 'Cache-Control', 'Vary')}</code></pre>
<p>Send it back as <code>If-None-Match</code>: as long as nothing has changed, the answer is 304 without a body. In the
client it is the option <code>ifNoneMatch</code>, and only a call that has it can be answered with 304, in its types,
too.</p>
${await sample('polling')}
<p>Every 15 seconds is enough for a map, every few minutes for a list of orders. Each read counts for the
<a href="#limits">limit</a>, a 304 like any other. Signed file URLs change with time, but not the ETag: read the proof
without <code>ifNoneMatch</code> when you need fresh ones.</p>`,
});
