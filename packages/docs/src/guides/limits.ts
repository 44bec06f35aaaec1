import { headerLines, introductionTo } from '../contract.ts';
import { html, paragraphs, prose } from '../html.ts';
import { type Guide, problem, problemList, sample } from './guide.ts';

/** Rate limits. */
export const limits = async (): Promise<Guide> => ({
  id: 'limits',
  title: 'Stay within the limits',
  content: html`${paragraphs(introductionTo('Limits'))}
<pre><code>${headerLines('RateLimit-Policy', 'RateLimit')}</code></pre>
<p>${prose('Here `q` requests may be made in `w` seconds, and `r` are left for the next `t` seconds.')} When none is left
the answer is ${problem('rate_limited')} with a <code>Retry-After</code>. The client waits for it and sends the request
again, as far as the call's <code>timeout</code> allows: 30 seconds by default, which is less than a whole window. Give
work that can wait more time, and work that has a user waiting less.</p>
${await sample('limits')}
${problemList('rate_limited', 'unavailable')}`,
});
