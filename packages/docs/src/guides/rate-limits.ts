import { headerLines } from '../contract.ts';
import { html, prose } from '../html.ts';
import { type Guide, problem, problemList, sample } from './guide.ts';

export const rateLimits = async (): Promise<Guide> => ({
  id: 'rate-limits',
  title: 'Respect rate limits',
  content: html`<p>Each API key has a rate limit. Each IP address has one for requests without a valid key, for files and for the
docs. Responses report the limit that applies:</p>
<pre><code>${headerLines('RateLimit-Policy', 'RateLimit')}</code></pre>
<p>${prose('`q` is the number of requests in `w` seconds, and `r` is the number of requests left for the next `t` seconds.')}
When no requests are left, the service returns ${problem('rate_limited')} with <code>Retry-After</code>. The client waits and
retries, if the <code>timeout</code> of the call allows it. The default of 30 seconds is shorter than a whole window. Use a longer
timeout for background jobs, and a shorter one when a user is waiting.</p>
${await sample('rate-limits')}
${problemList('rate_limited', 'unavailable')}`,
});
