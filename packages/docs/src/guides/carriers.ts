import { positions, transitions } from '@waybill/contract/lifecycle';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { descriptionOf, introductionTo } from '../contract.ts';
import { type Html, html, prose } from '../html.ts';
import { type Guide, operation, problem, problemList, sample } from './guide.ts';

const { PositionsRequest, ProofOfDeliveryRequest, ImageType } = document.components.schemas;
const words = (list: string[]): Html =>
  html`${list.map((word, index) => html`${index > 0 ? ', ' : ''}<code>${word}</code>`)}`;
const steps = transitions.filter(({ operation }) => operation === 'recordTrackingEvent').map(({ to }) => to);

/** Everything that a carrier's or driver's app does. */
export const carriers = async (): Promise<Guide> => ({
  id: 'carriers',
  title: 'Carry a shipment',
  content: html`<p>A carrier's app works with a key of the shipper's account that has the scopes <code>tracking:read</code>
and <code>tracking:write</code>, and knows shipments by their tracking number.</p>
<h3>Events</h3>
<p>${operation('recordTrackingEvent')} reports ${words(steps)}, one step after the other
(<a href="lifecycle.html">lifecycle</a>). ${prose(descriptionOf('recordTrackingEvent'))}</p>
<p>${prose(introductionTo('Time'))} Send the time at which it happened, not the one at which you send it.</p>
${await sample('events')}
<h3>Positions</h3>
<p>${operation('recordPositions')} takes up to ${PositionsRequest.properties.positions.maxItems} positions while the
shipment is ${words(Object.keys(positions))}. ${prose(descriptionOf('recordPositions'))} So an app that was out of reach
simply sends all that it has kept.</p>
${await sample('positions')}
<h3>Proof of delivery</h3>
<p>Declare each file with ${operation('createProofUpload')}, send its bytes to the URL that the answer names
(${operation('putProofFile')}), then name the upload ids in ${operation('submitProofOfDelivery')}: a signature and up to
${ProofOfDeliveryRequest.properties.photos.maxItems} photos, ${words(ImageType.enum)}. The client's
<code>uploadProofFile</code> does the first two.</p>
${await sample('proof')}
<p>The proof is the delivery: there is no event for it. When the files are sent but the proof is refused, they can still
be named in another one.</p>
${problemList('invalid_transition', 'positions_not_accepted', 'file_mismatch', 'unknown_upload', 'link_expired')}
<p>Whoever reads ${problem('invalid_transition')} after an event was probably overtaken: read the tracking status before you
decide.</p>`,
});
