import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { exceptionKinds } from '@waybill/contract/exceptions';
import { closedPage } from '@waybill/pages/closed-page';
import { languageOf } from '@waybill/pages/messages/accept-language';
import { type Language, languageNames, languages } from '@waybill/pages/messages/languages';
import { trackingPage } from '@waybill/pages/tracking/page';
import type { TrackingView } from '@waybill/pages/tracking/view';
import { describe, expect, test } from 'vitest';
import { now, onTheWay, states } from './views.ts';

const page = (view: TrackingView, language: Language = 'en', visitorZone?: string) =>
  trackingPage(view, { language, now, visitorZone });

/** The text of a page as a reader without style and script sees it. */
const textOf = (html: string): string =>
  html
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u202f\u2009]+/g, ' ');

const headings: Record<keyof typeof states, string> = {
  'on-the-way': 'Arrives today, 2:30 – 3:30 PM',
  'with-handover-code': 'Arrives today, 2:30 – 3:30 PM',
  'just-created': 'Planned for today, 2:00 – 4:00 PM',
  'empty-timeline': 'Arrival time not known yet',
  late: 'Arrives today, 6:00 – 7:00 PM',
  overdue: 'Was expected today, 11:30 AM – 12:30 PM',
  'open-exception': 'Arrives today, 2:30 – 3:30 PM',
  delivered: 'Delivered today, 1:58 PM',
  unattended: 'Delivered today, 1:58 PM',
  cancelled: 'This shipment was cancelled',
  'status-only': 'Arrives today, 10:30 – 11:30 PM',
};

describe('states', () => {
  test.for(Object.entries(states))('the page of a shipment that is %s answers when it arrives', ([name, view]) => {
    const { html } = page(view);
    expect(textOf(html)).toContain(headings[name]);
  });

  test('a timeline without entries says so', () => {
    expect(textOf(page(states['empty-timeline'] as TrackingView).html)).toContain('Nothing has happened yet.');
  });

  test('a shipment is late after its delivery window, or after its estimated arrival', () => {
    const late = textOf(page(states.late as TrackingView).html);
    expect(late).toContain('This is later than planned (today, 2:00 – 4:00 PM).');
    expect(late).toMatch(/ Late /);
    const overdue = textOf(page(states.overdue as TrackingView).html);
    expect(overdue).toContain('It is late, and the carrier has not sent a new time.');
    expect(textOf(page(onTheWay).html)).not.toMatch(/ Late /);
  });

  test('an open exception shows what happens next above the map, an ended one its end below', () => {
    const { html } = page(states['open-exception'] as TrackingView);
    const text = textOf(html);
    expect(text).toContain('Delivery: Attempted, but the freight was refused');
    expect(text).toContain('A new attempt will be arranged. The freight may go back to the sender.');
    expect(text).toContain('Resolved today, 12:48 PM');
    const order = ['id="open-exceptions"', 'id="map"', 'id="exceptions"'].map((id) => html.indexOf(id));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
  });

  test('a delivered shipment shows who signed, with the signature and the photos', () => {
    const { html } = page(states.delivered as TrackingView);
    expect(textOf(html)).toContain('R. Alvarez signed for it.');
    expect([...html.matchAll(/<img src="([^"]+)" alt="([^"]+)"/g)].map(([, , alt]) => alt)).toEqual([
      'Signature of R. Alvarez',
      'Photo 1 of 2',
      'Photo 2 of 2',
    ]);
  });

  test('an unattended delivery shows that nobody signed, and its photo', () => {
    const { html, headers } = page(states.unattended as TrackingView);
    expect(textOf(html)).toContain('It was left at the destination without a signature.');
    expect(html).not.toMatch(/Signed by|Signature/);
    expect([...html.matchAll(/<img src="([^"]+)" alt="([^"]+)"/g)].map(([, , alt]) => alt)).toEqual(['Photo 1 of 1']);
    expect(headers['content-security-policy']).toContain("img-src 'self' data: https://api.example.net;");
  });

  test('a proof without a location says so, and one with a location does not', () => {
    const { proof, ...view } = states.delivered as TrackingView & { proof: NonNullable<TrackingView['proof']> };
    const { location, ...unlocated } = proof;
    expect(location).toBeDefined();
    const { html } = page({ ...view, proof: unlocated });
    expect(textOf(html)).toContain('Location No location');
    expect(textOf(page({ ...view, proof }).html)).not.toContain('No location');
  });

  test.for(languageNames)('a handover code is shown with a sentence in the language %s', (language) => {
    const shipment = onTheWay.shipment && { ...onTheWay.shipment, handover_code: '4821' };
    const { html } = page({ ...onTheWay, shipment }, language);
    const { handoverHint } = languages[language].tracking;
    expect(textOf(html)).toContain(`4821 ${handoverHint}`);
    expect(page(onTheWay, language).html).not.toContain(handoverHint);
  });

  test('a cancelled shipment shows the reason and no progress', () => {
    const { html } = page(states.cancelled as TrackingView);
    expect(textOf(html)).toContain('Reason: The order was changed.');
    expect(html).not.toContain('class="bar"');
  });

  test('a carrier description replaces no translated title, and a default description is not repeated', () => {
    const text = textOf(page(onTheWay, 'de').html);
    expect(text).toContain('Am Startort abgeholt Loaded at door 4');
    expect(text).not.toContain('Driver assigned');
  });

  test('a status and an exception that are newer than the messages are shown', () => {
    const [traffic] = onTheWay.tracking.exceptions ?? [];
    const tracking = { ...onTheWay.tracking, status: 'at_terminal', exceptions: [{ ...traffic, code: 'meteor' }] };
    const text = textOf(page({ ...onTheWay, tracking } as TrackingView).html);
    expect(text).toContain('at terminal');
    expect(text).toContain('Something went wrong');
  });
});

describe('times', () => {
  test('times are local times of the destination', () => {
    const destination = { address: '1', city: 'Lyon', state: 'Rhône', zip: '69001', country: 'FR' };
    const shipment = onTheWay.shipment && { ...onTheWay.shipment, destination };
    const text = textOf(page({ ...onTheWay, shipment }).html);
    expect(text).toContain('Arrives today, 11:30 PM – tomorrow, 12:30 AM');
    expect(text).toContain('Times are local times of Lyon, Rhône.');
  });

  test('without a known time zone times are in UTC, or in the time zone of the visitor', () => {
    const view = states['status-only'] as TrackingView;
    expect(textOf(page(view).html)).toContain('Times are in UTC.');
    const visited = textOf(page(view, 'en', 'America/Chicago').html);
    expect(visited).toContain('Arrives today, 4:30 – 5:30 PM');
    expect(visited).toContain('Times are in your time zone.');
    const known = textOf(page(onTheWay, 'en', 'America/Chicago').html);
    expect(known).toContain('Arrives today, 2:30 – 3:30 PM');
  });

  test.each([
    ['2026-11-24T04:06:00Z', 'Arrives today, 7:00 – 10:00 PM'], // more than six hours ahead
    ['2026-11-24T04:05:00Z', 'Arrives today, 7:30 – 8:30 PM'],
    ['2026-11-25T22:05:00Z', 'Arrives Wed, Nov 25, 1:00 – 4:00 PM'],
    ['2026-11-25T22:06:00Z', 'Arrives Wed, Nov 25 '], // more than two days ahead
    ['2027-06-01T22:06:00Z', 'Arrives Tue, Jun 1, 2027 '],
  ])('an estimate of %s is a window: %s', (eta, expected) => {
    const { html } = page({ ...onTheWay, tracking: { ...onTheWay.tracking, eta } });
    expect(textOf(html)).toContain(expected);
  });
});

test('a planned shipment is late only after the end of its window', () => {
  const end = new Date('2026-11-24T00:00:00.000Z');
  const view = (eta: string | null): TrackingView => ({ ...onTheWay, tracking: { ...onTheWay.tracking, eta } });
  const textAt = (time: number, eta: string | null) =>
    textOf(trackingPage(view(eta), { language: 'en', now: new Date(time) }).html);
  expect(textAt(end.getTime(), null)).not.toContain('Late');
  expect(textAt(end.getTime() + 1, null)).toContain('Late');
  expect(textAt(now.getTime(), end.toISOString())).not.toContain('Late');
  expect(textAt(now.getTime(), '2026-11-24T00:00:00.001Z')).toContain('Late');
});

test('the rest of the way is in miles in the US, and in kilometers in other languages', () => {
  // Two degrees of latitude north of Portland: 222 km.
  const current_location = { lat: 47.52, lng: -122.67, address: null, updated_at: now.toISOString() };
  const view = { ...onTheWay, tracking: { ...onTheWay.tracking, current_location } };
  expect(textOf(page(view).html)).toContain('About 140 miles remain.');
  expect(textOf(page(view, 'de').html)).toContain('Noch etwa 220 Kilometer.');
});

test('all times of a German page have two digits', () => {
  const early = '2026-11-23T14:44:00.000Z'; // 6:44 in Portland
  const timeline = onTheWay.tracking.timeline.map((entry) => ({ ...entry, timestamp: early }));
  for (const view of [onTheWay, states.delivered as TrackingView]) {
    const { html } = page({ ...view, tracking: { ...view.tracking, timeline, eta: early } }, 'de');
    expect(html).toContain('06:44');
    expect(html).not.toMatch(/[^\d]\d:\d\d[^\d]/);
  }
});

test('a shipment that customs hold does not continue by itself, and a delay is less severe than a refusal', () => {
  const [refused, delay] = states['open-exception']?.tracking.exceptions ?? [];
  if (!refused || !delay) throw new Error('The state has no exceptions.');
  const held = { ...refused, id: 'exc_1', code: 'customs_hold', next_steps: ['wait'] } as typeof refused;
  const { resolved_at: _, ...open } = delay;
  const tracking = { ...onTheWay.tracking, exceptions: [refused, held, open] };
  const { html } = page({ ...onTheWay, tracking });
  expect([...html.matchAll(/<article class="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    'note high',
    'note high',
    'note low',
  ]);
  expect(textOf(html)).toContain('It continues when customs release it.');
  expect(textOf(html).match(/continues without your help/g)).toHaveLength(1);
});

test('a delivered shipment is not said to be last seen elsewhere', () => {
  const current_location = { lat: 47.25, lng: -122.44, address: 'Tacoma, WA', updated_at: now.toISOString() };
  const delivered = states.delivered as TrackingView;
  const { html } = page({ ...delivered, tracking: { ...delivered.tracking, current_location } });
  expect(textOf(html)).not.toContain('Last seen');
  expect(textOf(html)).toContain('Last position before the delivery Tacoma, WA');
  // It was delivered there, not to the address.
  const location = { lat: 47.24, lng: -122.45 };
  const proof = delivered.proof && { ...delivered.proof, location };
  const there = page({ ...delivered, proof, tracking: { ...delivered.tracking, current_location } }).html;
  expect(textOf(there)).toContain('Last seen Tacoma, WA');
});

describe('languages', () => {
  test('each code of the contract has a text of its own in each language', () => {
    for (const [language, { tracking: messages }] of Object.entries(languages)) {
      const texts = Object.keys(exceptionKinds).map((code) => messages.exceptions[code as keyof typeof exceptionKinds]);
      expect(texts).toHaveLength(13);
      expect(new Set(texts.filter(Boolean)).size, language).toBe(13);
    }
  });

  test.for(languageNames.filter((name) => name !== 'en'))('no text of %s is that of English', (name) => {
    const flat = (value: unknown): string[] => {
      if (typeof value === 'function') return [value('~', '~')];
      return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flat);
    };
    const english = flat(languages.en);
    const texts = flat(languages[name]);
    expect(texts).toHaveLength(english.length);
    // Words that are spelled alike.
    const same = texts.filter((text, index) => text === english[index]);
    expect(
      same.filter(
        (text) =>
          !/^(Destination|Service|Photo|Signature de|~)|^(Signature|Offline|Live|Status|Median|min|h|d)$/.test(text),
      ),
    ).toEqual([]);
  });

  test.each([
    ['de', 'fr', 'de'],
    [undefined, 'fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    [undefined, 'nl,pt-BR;q=0.5', 'pt'],
    [undefined, 'zh-CN', 'zh'],
    [undefined, 'nl', 'en'],
    [undefined, undefined, 'en'],
    ['constructor', 'es', 'es'],
    [['de', 'fr'], '\u0000;;q=9', 'en'],
    [undefined, `${'nl,'.repeat(5_000)}fr`, 'en'], // the end of a long list is not read
  ])('?lang=%s with Accept-Language %s is %s', (asked, header, expected) => {
    expect(languageOf(asked, header)).toBe(expected);
  });

  test('dates, numbers and units follow the language', () => {
    const text = textOf(page(onTheWay, 'de').html);
    expect(text).toContain('Ankunft heute, 14:30–15:30 Uhr');
    expect(text).toContain('14 Packstücke · 646,5 kg');
  });
});

describe('safety', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&lt;\u202e`;

  test('text of shippers and carriers is escaped wherever it is', () => {
    const texts = /^(address|contact_name|city|state|zip|description|name|scac|signed_by|resolution|tracking_number)$/;
    const replaced: TrackingView = JSON.parse(
      JSON.stringify(states.delivered, (key, value) =>
        texts.test(key) && typeof value === 'string' ? hostile : value,
      ),
    );
    const { html } = page(replaced);
    expect(html).toContain('&lt;script>alert(1)');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.match(/<img src="(?!https:\/\/api\.example\.net\/)/g)).toBeNull();
    expect(html).not.toMatch(/="[^"]*"><script>alert/);
  });

  test.for(['\u202eRefused\u2069!', 'שלום', 'سلام'])(
    '%s of a person changes the direction of no other text',
    (text) => {
      const given =
        /^(address|contact_name|city|zip|description|name|scac|signed_by|resolution|reference|cancellation_reason)$/;
      for (const [state, view] of Object.entries(states)) {
        const written: TrackingView = JSON.parse(
          JSON.stringify(view, (key, value) => (given.test(key) && typeof value === 'string' ? text : value)),
        );
        if (written.shipment) written.shipment.reference = text;
        const { html } = page(written);
        const shown = text.replace('\u2069', '');
        const isolates = new RegExp(`<bdi>[^<]*${shown}[^<]*</bdi>|\u2068[^\u2069<]*${shown}[^\u2069<]*\u2069`, 'g');
        const rest = html.replace(isolates, '');
        expect(rest, state).not.toContain(shown.slice(0, 4));
        expect(rest, state).not.toMatch(/[\u2066-\u2069]/);
      }
    },
  );

  test('a phone number becomes a link, and other texts do not', () => {
    const call = (contact_phone: string) => {
      const { shipment } = onTheWay;
      const changed = shipment && { ...shipment, origin: { ...shipment.origin, contact_phone } };
      return /href="(tel:[^"]*)"/.exec(page({ ...onTheWay, shipment: changed }).html)?.[1];
    };
    expect(call('+1 (253) 555-0142 ext. 9')).toBe('tel:+12535550142;ext=9');
    expect(call('javascript:alert(1)')).toBeUndefined();
  });

  test('the policy permits the inline script and style by their hashes, and pictures of their origin', () => {
    const { html, headers } = page(states.delivered as TrackingView);
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
  });

  test('the policy permits photos of exceptions from their origin alone', () => {
    const photos = { [states['open-exception']?.tracking.exceptions?.[0]?.id ?? '']: ['https://photos.example.net/1'] };
    const { headers } = page({ ...(states['open-exception'] as TrackingView), exceptionPhotos: photos });
    expect(headers['content-security-policy']).toContain("img-src 'self' data: https://photos.example.net;");
  });

  test.for(languageNames)('every state of %s has at most 60 kB, compressed', (language) => {
    const pages = Object.values(states).map((view) => page(view, language));
    for (const { html } of [...pages, closedPage('expired', language)]) {
      expect(gzipSync(html).length).toBeLessThan(60_000);
      expect(html).not.toMatch(/<link[^>]*stylesheet|<script[^>]*src=/); // nothing else is loaded
    }
  });
});

test.each([
  ['expired', 'This link has expired'],
  ['unknown', 'This link does not work'],
  ['busy', 'This page cannot be shown now'],
] as const)('the page of a link that is %s has no script', (reason, title) => {
  const { html } = closedPage(reason, 'en');
  expect(textOf(html)).toContain(title);
  expect(html).not.toContain('<script');
});
