import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { closedPage } from '@waybill/pages/closed-page';
import { languageOf } from '@waybill/pages/messages/accept-language';
import { type Language, languageNames, languages } from '@waybill/pages/messages/languages';
import { addressLines } from '@waybill/pages/text/addresses';
import { trackingPage } from '@waybill/pages/tracking/page';
import type { TrackingView } from '@waybill/pages/tracking/view';
import { expect, test } from 'vitest';
import { changed, now, onTheWay, refused, states, traffic } from './tracking-views.ts';

type Given = { language?: Language; now?: Date; visitorZone?: string };

const page = (view: TrackingView, given: Given = {}) => trackingPage(view, { language: 'en', now, ...given });

/** The text of a page as a reader without style and script sees it. */
const textOf = ({ html }: { html: string }): string =>
  html
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u202f\u2009]+/g, ' ');

const altsOf = ({ html }: { html: string }) =>
  [...html.matchAll(/<img src="[^"]+" alt="([^"]+)"/g)].map(([, alt]) => alt);

const { delivered } = states;
const { location: _, ...unlocated } = delivered.proof ?? expect.unreachable();
const lyon = { address: '1', city: 'Lyon', state: 'Rhône', zip: '69001', country: 'FR' };
const inLyon = changed({}, {}, { destination: lyon });
const port = { lat: 53.54, lng: 9.98, address: null, updated_at: now.toISOString() };
const hamburg = { address: 'Am Sandtorkai 1', city: 'Hamburg', state: 'HH', zip: '20457', country: 'DE' };
const inHamburg = changed({ current_location: port }, {}, { destination: hamburg });
const tacoma = { lat: 47.25, lng: -122.44, address: 'Tacoma, WA', updated_at: now.toISOString() };
const inTacoma = { ...delivered, tracking: { ...delivered.tracking, current_location: tacoma } };
const there = { ...inTacoma, proof: { ...unlocated, location: { lat: 47.24, lng: -122.45 } } };
/** Two degrees of latitude north of Portland: 222 km. */
const north = changed({ current_location: { ...tacoma, lat: 47.52, lng: -122.67, address: null } });
const newer = changed({ status: 'at_terminal' as never, exceptions: [{ ...traffic, code: 'meteor' as never }] });
const held = { ...refused, id: 'exc_1', code: 'customs_hold', next_steps: ['wait'] } as typeof refused;
const { resolved_at, ...delay } = traffic;
const stopped = changed({ exceptions: [refused, held, delay] });
const end = new Date('2026-11-24T00:00:00Z');
const afterEnd = new Date('2026-11-24T00:00:00.001Z');
const german = { language: 'de' } as const;
const visitor = { visitorZone: 'America/Chicago' };
const estimated = (eta: string | null) => changed({ eta });

test.for<[string, TrackingView, shown: string[], hidden?: string[], Given?]>([
  ['on the way', onTheWay, ['Arrives today, 2:30 – 3:30 PM', 'is on the way to Portland, OR.'], [' Late ']],
  ['just created', states['just-created'], ['Planned for today, 2:00 – 4:00 PM', 'has not picked up your freight']],
  ['dispatched', changed({ status: 'dispatched' }), ['A driver is assigned and will pick up your freight in Tacoma']],
  ['picked up', changed({ status: 'picked_up' }), ['Your freight was picked up in Tacoma, WA.']],
  ['without a timeline', states['empty-timeline'], ['Arrival time not known yet', 'Nothing has happened yet.']],
  ['late', states.late, ['Arrives today, 6:00 – 7:00 PM', 'later than planned (today, 2:00 – 4:00 PM PST', ' Late ']],
  ['overdue', states.overdue, ['Was expected today, 11:30 AM – 12:30 PM', 'the carrier has not sent a new time.']],
  ['refused', states['open-exception'], ['the freight was refused', 'Resolved today, 12:48 PM']],
  ['held by customs', stopped, ['It continues when customs release it.']],
  ['delivered', delivered, ['Delivered today, 1:58 PM', 'R. Alvarez signed for it.'], ['No location']],
  ['delivered without a proof', { ...delivered, proof: undefined }, ['Your freight has arrived.'], ['signed for']],
  ['unattended', states.unattended, ['left at the destination without a signature.'], ['Signed by', 'Signature']],
  ['delivered elsewhere', there, ['Location Near Tacoma, WA'], ['Last']],
  ['cancelled', states.cancelled, ['This shipment was cancelled', 'Reason: The order was changed.']],
  ['returned', states.returned, ['Returned today, 1:58 PM', 'brought back to the sender.'], ['Delivered']],
  ['returned', states.returned, ['Proof of return', 'Return receipt', 'To 9 Quarry Road'], ['Proof of delivery']],
  ['lost', states.lost, ['This shipment was lost', 'Last seen Vancouver, WA', 'The carrier cannot find it.']],
  ['newer than the messages', newer, ['at terminal', 'Something went wrong']],
  ['in Lyon', inLyon, ['11:30 PM – tomorrow, 12:30 AM GMT+1', 'Times are local times of Lyon.', '69001 Lyon France']],
  ['in Hamburg', inHamburg, ['In der Nähe von Hamburg ·', '20457 Hamburg Deutschland', 'MEZ'], ['Hamburg, '], german],
  ['at an unknown place', states['status-only'], ['Arrives today, 10:30 – 11:30 PM UTC', 'Times are in UTC.']],
  ['read in Chicago', states['status-only'], ['4:30 – 5:30 PM', 'Times are in your time zone.'], ['PM CST'], visitor],
  ['estimated in more than six hours', estimated('2026-11-24T04:06Z'), ['Arrives today, 7:00 – 10:00 PM']],
  ['estimated in six hours', estimated('2026-11-24T04:05Z'), ['Arrives today, 7:30 – 8:30 PM']],
  ['estimated in two days', estimated('2026-11-25T22:05Z'), ['Arrives Wed, Nov 25, 1:00 – 4:00 PM']],
  ['estimated in more than two days', estimated('2026-11-25T22:06Z'), ['Arrives Wed, Nov 25 ']],
  ['planned until now', estimated(null), [], ['Late'], { now: end }],
  ['planned until a moment ago', estimated(null), ['Late'], [], { now: afterEnd }],
  ['140 miles away', north, ['About 140 miles remain.']],
  ['described by its carrier', onTheWay, ['Am Startort abgeholt Loaded at door 4'], ['Driver assigned'], german],
])('the page of a shipment that is %s says so', ([, view, shown, hidden = [], given]) => {
  const text = textOf(page(view, given));
  for (const each of shown) expect(text).toContain(each);
  for (const each of hidden) expect(text).not.toContain(each);
});

test('entries of one minute are in the order in which they happened, and a late creation says so', () => {
  const [created, ...moves] = states.returned.tracking.timeline;
  const minute = moves.map((entry) => ({ ...entry, timestamp: '2026-11-22T19:10:00.000Z' }));
  const timeline = [...minute, created ?? expect.unreachable()];
  const exceptions = [{ ...refused, occurred_at: '2026-11-22T19:10:00.000Z' }];
  const { html } = page(changed({ status: 'returned', timeline, exceptions }));
  const list = /id="timeline".*?<\/section>/s.exec(html)?.[0] ?? '';
  expect([...list.matchAll(/<b>([^<]*)/g)].map(([, title]) => title)).toEqual([
    'Shipment created (entered late)',
    'Returned to the sender',
    'Delivery: Attempted, but the freight was refused',
    'On the way to the destination',
    'Picked up from the origin',
    'Driver assigned',
  ]);
});

test('the page has the pictures of a proof, no progress of what is cancelled, and open exceptions above the map', () => {
  expect(altsOf(page(delivered))).toEqual(['Signature of R. Alvarez', 'Photo 1 of 2', 'Photo 2 of 2']);
  expect(altsOf(page(states.unattended))).toEqual(['Photo 1 of 1']);
  expect(page(states.cancelled).html).not.toContain('class="bar"');
  const { html } = page(states['open-exception']);
  expect(html).toMatch(/id="open-exceptions".*id="map".*id="exceptions"/s);
  const classes = [...page(stopped).html.matchAll(/<article class="([^"]*)"/g)].map(([, name]) => name);
  expect(classes).toEqual(['note high', 'note high', 'note low']);
  expect(textOf(page(stopped)).match(/continues without your help/g)).toHaveLength(1);
});

test('times that clocks show twice have the name of their zone for all readers, others only where it differs', () => {
  const at = (timestamp: string) => ({ ...(onTheWay.tracking.timeline[3] ?? expect.unreachable()), timestamp });
  const timeline = ['2026-11-01T08:10:00.000Z', '2026-11-01T09:10:00.000Z', '2026-11-01T10:10:00.000Z'].map(at);
  const { html } = page(changed({ timeline, exceptions: [] }), { now: new Date('2026-11-01T18:00:00Z') });
  const times = [...html.matchAll(/<time datetime[^>]*title[^>]*>(.*?)<\/time>/g)].map(([, text = '']) =>
    text.replace(/\s/g, ' '),
  );
  const named = 'today, 2:10 AM<span class="zone-name"> PST</span>';
  expect(times).toEqual([named, 'today, 1:10 AM PST', 'today, 1:10 AM PDT']);
});

test('a step that nobody has reported does not look done', () => {
  const timeline = onTheWay.tracking.timeline.filter(({ status }) => status !== 'picked_up');
  const { html } = page(changed({ timeline }));
  const steps = [...html.matchAll(/<li class="(done|now|skipped)"[^>]*><span>/g)].map(([, name]) => name);
  expect(steps).toEqual(['done', 'done', 'skipped', 'now']);
});

test.for(languageNames)('no date and no time in the headline in %s may be split between lines', (language) => {
  for (const eta of ['2026-11-23T22:55Z', '2026-11-25T04:30Z', '2026-11-30T20:00Z', null]) {
    const [, headline = ''] = /<h1><span[^>]*>(.*?)<\/span>/.exec(page(estimated(eta), { language }).html) ?? [];
    expect(headline).toMatch(/\d/);
    expect(headline).not.toMatch(/\d |[^,–] \d/); // other spaces do not break
    expect(headline).not.toMatch(/–\u00a0/); // a line breaks after the dash, and would begin with the space
  }
});

// As the Universal Postal Union describes addresses of the countries.
test.each([
  ['US', ['1 Road', 'Portland', 'OR', '97209'], ['1 Road', 'Portland, OR 97209', 'États-Unis']],
  ['DE', ['1 Road', 'Hamburg', 'Hamburg', '20457'], ['1 Road', '20457 Hamburg', 'Allemagne']],
  ['DE', ['1 Road', '20457 Hamburg', 'HH', '20457'], ['1 Road', '20457 Hamburg', 'Allemagne']],
  ['CH', ['1 Road', 'Zürich', 'ZH', 'CH-8001'], ['1 Road', 'CH-8001 Zürich', 'Suisse']],
  ['GB', ['1 Road', 'London', '', 'SW1A 1AA'], ['1 Road', 'London', 'SW1A 1AA', 'Royaume-Uni']],
  ['IT', ['1 Road', 'Milano', 'MI', '20121'], ['1 Road', '20121 Milano MI', 'Italie']],
  ['JP', ['千代田1-1', '千代田区', '東京都', '100-0001'], ['〒100-0001', '東京都', '千代田区千代田1-1', 'Japon']],
  ['JP', ['1 Road', 'Chiyoda-ku', 'Tokyo', '100-0001'], ['1 Road', 'Chiyoda-ku, Tokyo', '100-0001', 'Japon']],
  ['AE', ['1 Road', 'Dubai', '', ''], ['1 Road', 'Dubai', 'Émirats arabes unis']], // its format has no city
] as const)('an address in %s of %j has the lines %j', (country, [address, city, state, zip], lines) => {
  const given = { country, address, city, ...(state && { state }), ...(zip && { zip }) };
  expect(addressLines(given, { locale: 'fr' })).toEqual(lines);
});

test.for(languageNames)('the page in %s is small, and has its texts', (language) => {
  const { handoverHint } = languages[language].tracking;
  expect(textOf(page(states['with-handover-code'], { language }))).toContain(`4821 ${handoverHint}`);
  expect(page(onTheWay, { language }).html).not.toContain(handoverHint);
  const pages = Object.values(states).map((view) => page(view, { language }));
  for (const { html } of [...pages, closedPage('expired', language)]) {
    expect(gzipSync(html).length).toBeLessThan(60_000);
    expect(html).not.toMatch(/<link[^>]*stylesheet|<script[^>]*src=/); // nothing else is loaded
  }
});

test.each([
  ['de', 'another', 'de', 'fr'],
  [undefined, 'a list', 'fr', 'fr-CA,fr;q=0.9,en;q=0.8'],
  [undefined, 'nothing', 'en', undefined],
  ['constructor', 'a known one', 'es', 'es'],
  [['de', 'fr'], 'damaged text', 'en', '\u0000;;q=9'],
  [undefined, 'a list without end', 'en', `${'nl,'.repeat(5_000)}fr`],
])('?lang=%s with %s as Accept-Language is %s', (asked, _, expected, header) => {
  expect(languageOf(asked, header)).toBe(expected);
});

/** A view with a text in place of each text of a person. */
function written(view: TrackingView, text: string): TrackingView {
  const fields =
    /^(company|address|address_2|contact_name|city|state|zip|description|name|scac|signed_by|resolution|cancellation_reason)$/;
  const replace = (key: string, value: unknown) => (fields.test(key) && typeof value === 'string' ? text : value);
  const { shipment, ...rest } = JSON.parse(JSON.stringify(view, replace));
  return { ...rest, shipment: shipment && { ...shipment, reference: text, references: [{ type: text, value: text }] } };
}

test('text of shippers and carriers is escaped wherever it is', () => {
  const { html } = page(written(delivered, `"><script>alert(1)</script><img src=x onerror=alert(1)>'&lt;\u202e`));
  expect(html).toContain('&lt;script>alert(1)');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<img src="(?!https:\/\/api\.example\.net\/)/g)).toBeNull();
  expect(html).not.toMatch(/="[^"]*"><script>alert/);
});

test.for(['\u202eRefused\u2069!', 'שלום', 'سلام'])('%s changes the direction of no other text', (text) => {
  const shown = text.replace('\u2069', '');
  const isolates = new RegExp(`<bdi>[^<]*${shown}[^<]*</bdi>|\u2068[^\u2069<]*${shown}[^\u2069<]*\u2069`, 'g');
  for (const [state, view] of Object.entries(states)) {
    const rest = page(written(view, text)).html.replace(isolates, '');
    expect(rest, state).not.toContain(shown.slice(0, 4));
    expect(rest, state).not.toMatch(/[\u2066-\u2069]/);
  }
});

test('the policy permits the inline script and style by their hashes, and pictures of their origin', () => {
  const { html, headers } = page(delivered);
  const hashOf = (name: string): string => {
    const [, text = ''] = new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 's').exec(html) ?? [];
    return createHash('sha256').update(text).digest('base64');
  };
  const policy = headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'sha256-${hashOf('script')}';`);
  expect(policy).toContain(`style-src 'sha256-${hashOf('style')}';`);
  expect(policy).toContain("img-src 'self' data: https://api.example.net;");
  expect(html).not.toMatch(/ style=| on\w+=/);
  const exceptionPhotos = { [refused.id]: ['https://photos.example.net/1'] };
  const { headers: others } = page({ ...states['open-exception'], exceptionPhotos });
  expect(others['content-security-policy']).toContain("img-src 'self' data: https://photos.example.net;");
});
