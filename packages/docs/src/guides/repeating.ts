import { introductionTo } from '../contract.ts';
import { html, paragraphs } from '../html.ts';
import { type Guide, problem, problemList, sample } from './guide.ts';

/** Idempotency keys and retries. */
export const repeating = async (): Promise<Guide> => ({
  id: 'repeating',
  title: 'Repeat requests safely',
  content: html`<p>When a connection breaks, nobody knows whether the request had its effect. So send it again; a key keeps
it from having two.</p>
${paragraphs(introductionTo('Repeating a request'))}
<p>The client does this by itself. Every POST carries a new key, and a call is sent again with the same key when the
connection failed, after ${problem('rate_limited')}, ${problem('unavailable')} and ${problem('idempotency_in_progress')}:
twice by default (<code>retries</code>), after growing pauses and what <code>Retry-After</code> asks for, all within the
call's <code>timeout</code>. When the wait would be longer than that, the error is thrown at once.</p>
<p>Give a key of your own when the repetition may come from another process, such as a job that is started again. Make
it from what you want done, not from the time.</p>
${await sample('repeating')}
<p>A key is forgotten after a day. What must be there once for good belongs in <code>reference</code>, too: the error
${problem('reference_taken')} names the shipment that has it.</p>
${problemList('idempotency_in_progress', 'idempotency_key_reused', 'reference_taken')}`,
});
