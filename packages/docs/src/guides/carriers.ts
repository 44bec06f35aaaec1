import { positionRules, transitions } from '@waybill/contract/lifecycle';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { type Html, html } from '../html.ts';
import { type Guide, operation, problem, problemList, sample } from './guide.ts';

const { PositionsRequest, ProofOfDeliveryRequest, ImageType } = document.components.schemas;
const codes = (list: string[]): Html =>
  html`${list.map((code, index) => html`${index > 0 ? ', ' : ''}<code>${code}</code>`)}`;
const eventStatuses = transitions.filter(({ operation }) => operation === 'recordTrackingEvent').map(({ to }) => to);

/** Events, positions and proof of delivery. */
export const carriers = async (): Promise<Guide> => ({
  id: 'carriers',
  title: 'Record tracking data as a carrier',
  content: html`<p>A carrier's app records events, positions and the proof of delivery. It needs a key of the shipper's account
with the scopes <code>tracking:read</code> and <code>tracking:write</code>, and the tracking number of the shipment.</p>
<h3>Events</h3>
<p>${operation('recordTrackingEvent')} records ${codes(eventStatuses)}, in this order (see
<a href="lifecycle.html">lifecycle</a>). Send the time at which the event happened, with an offset, not the time of the
request. If several clients record the same status, one succeeds and the others get ${problem('invalid_transition')}: read the
tracking status before you continue.</p>
${await sample('events')}
<h3>Positions</h3>
<p>${operation('recordPositions')} accepts up to ${PositionsRequest.properties.positions.maxItems} positions per request while the
shipment is ${codes(Object.keys(positionRules))}. The position with the greatest timestamp becomes the current location. So an
app can store positions while it is offline and send them later, in any order.</p>
${await sample('positions')}
<h3>Proof of delivery</h3>
<p>A proof contains a signature and up to ${ProofOfDeliveryRequest.properties.photos.maxItems} photos
(${codes(ImageType.enum)}). Submit it in three steps:</p>
<ol>
<li>${operation('createProofUpload')} for each file returns an upload id and a URL.</li>
<li>${operation('putProofFile')} sends the bytes to that URL. The client's <code>uploadProofFile</code> does both steps.</li>
<li>${operation('submitProofOfDelivery')} with the upload ids sets the status to <code>delivered</code>. There is no separate
event for it.</li>
</ol>
${await sample('proof')}
<p>If the proof is rejected, correct it and submit it again with the same upload ids. If an upload is rejected:</p>
<dl>
<dt>${problem('upload_limit_reached')}</dt>
<dd>The shipment has too many unfinished uploads. Use their upload ids in the proof, or wait for <code>Retry-After</code> and
create the upload again.</dd>
<dt>${problem('storage_quota_exceeded')}</dt>
<dd>The files of the account use all of its storage. Send smaller images, or try again after unused files are removed. Ask the
operator of the service for more storage if it happens again.</dd>
<dt>${problem('uploads_not_accepted')}</dt>
<dd>The shipment is delivered or cancelled, as <code>current_status</code> shows. Do not repeat the request.</dd>
</dl>
<p>Other errors of these operations:</p>
${problemList('invalid_transition', 'positions_not_accepted', 'file_mismatch', 'unknown_upload', 'link_expired')}`,
});
