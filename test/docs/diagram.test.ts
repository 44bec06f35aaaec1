import { diagram } from '@waybill/docs/src/diagram.ts';
import { expect, test } from 'vitest';

type Edge = Parameters<typeof diagram>[0][number];

const created: Edge = { from: null, to: 'scheduled', operation: 'createShipment' };
const dispatched: Edge = { from: 'scheduled', to: 'dispatched', operation: 'recordTrackingEvent' };
const pickedUp: Edge = { from: 'dispatched', to: 'picked_up', operation: 'recordTrackingEvent' };
const skip: Edge = { from: 'scheduled', to: 'picked_up', operation: 'recordTrackingEvent' };
const cancelled: Edge = { from: 'dispatched', to: 'cancelled', operation: 'cancelShipment' };

/** The arrows and the labels of a drawing, as `from->to label`. */
const arrowsOf = (svg: string): string[] =>
  [
    ...svg.matchAll(
      /class="edge">\n<title>(.+)<\/title>\n<path.+\n<polygon.+\n<text.+> (\w+) <\/text>\n<text.+> (\w+) <\/text>/g,
    ),
  ].map(([, title = '', ...words]) => `${title.replace('&#45;&gt;', '->')} ${words.join('')}`);

test('the diagram has an arrow with the operation for each transition, also for one that skips a status', () => {
  expect(arrowsOf(diagram([created, dispatched, pickedUp, skip, cancelled])).sort()).toEqual([
    'dispatched->cancelled cancelShipment',
    'dispatched->picked_up recordTrackingEvent',
    'scheduled->dispatched recordTrackingEvent',
    'scheduled->picked_up recordTrackingEvent',
    'start->scheduled createShipment',
  ]);
});

test('the diagram colours a status that has a colour', () => {
  expect(diagram([created, dispatched, pickedUp])).toMatch(
    /style="--status: var\(--picked-up, .+\)">\n<title>picked_up<\/title>/,
  );
});
