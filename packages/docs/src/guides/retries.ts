import { html, prose } from '../html.ts';
import { type Guide, problem, problemList, sample } from './guide.ts';

/** Idempotency keys and retries. */
export const retries = async (): Promise<Guide> => ({
  id: 'retries',
  title: 'Retry requests safely',
  content: html`<p>After a connection error you do not know whether a request had its effect. Send an
<code>Idempotency-Key</code> with every POST, and repeat the request with the same key. Within 24 hours, a repeated request
returns the stored response with <code>Idempotent-Replayed: true</code> and has no further effect.</p>
<p>${prose('Errors of the operation itself, such as 409, are stored too. Responses with 400, 401, 403, 413, 415, 429 and 5xx are not: correct the request or wait, and use the same key again.')}</p>
<p>The client does this automatically. It generates a key for every POST, and retries a call after a connection error and after
${problem('rate_limited')}, ${problem('unavailable')} and ${problem('idempotency_in_progress')}. By default it retries twice
(<code>retries</code>), waits for <code>Retry-After</code> plus a backoff, and stays within the <code>timeout</code> of the
call. If the pause would exceed the timeout, the call fails immediately.</p>
<p>Use your own key when another process may repeat the request, for example a restarted job. Derive the key from the data of
the request, not from the time.</p>
${await sample('retries')}
<p>Keys expire after 24 hours. To prevent duplicates permanently, set <code>reference</code> as well. The error
${problem('reference_taken')} contains the id of the existing shipment.</p>
${problemList('idempotency_in_progress', 'idempotency_key_reused', 'reference_taken')}`,
});
