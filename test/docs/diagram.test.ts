import { diagram } from '@waybill/docs/src/diagram.ts';
import { expect, test } from 'vitest';
import { lifecycle } from '../fixtures/lifecycle.ts';

interface Edge {
  from: 'scheduled' | 'picked_up' | 'in_transit' | null;
  to: 'scheduled' | 'cancelled' | 'delivered';
  operation: 'createShipment' | 'cancelShipment' | 'submitProofOfDelivery';
}

const created: Edge = { from: null, to: 'scheduled', operation: 'createShipment' };
const edges = Object.entries(lifecycle).flatMap(([from, steps]) =>
  steps.map(({ to, operation }) => ({ from, to, operation }) as Edge),
);

/** The arrows of a drawing as `from → to`, by the boxes at which they start and end. */
function arrowsOf(svg: string): string[] {
  const boxes = [
    ...svg.matchAll(
      /<rect [^>]*x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"[^>]*>\n<text class="state"[^>]*>(\w+)/g,
    ),
  ].map(([, x, y, width, height, state = '']) => {
    return {
      state,
      left: Number(x),
      top: Number(y),
      right: Number(x) + Number(width),
      bottom: Number(y) + Number(height),
    };
  });
  /** The state whose box the point touches; lines end at most 2 pixels before it. */
  const stateAt = (x: number, y: number) =>
    boxes.find(({ left, top, right, bottom }) => x >= left - 2 && x <= right + 2 && y >= top - 2 && y <= bottom + 2)
      ?.state;
  return [...svg.matchAll(/<path class="arrow" d="M(\S+) (\S+) ([HV])(\S+)" marker-end="url\(#head\)"\/>/g)].map(
    ([, x, y, direction, end]) => {
      const target = direction === 'H' ? [Number(end), Number(y)] : [Number(x), Number(end)];
      const length = Math.abs(Number(end) - Number(direction === 'H' ? x : y));
      expect(length, 'The arrow is shorter than its head.').toBeGreaterThan(8);
      return `${stateAt(Number(x), Number(y)) ?? null} → ${stateAt(target[0] ?? 0, target[1] ?? 0)}`;
    },
  );
}

const cancelPickedUp: Edge = { from: 'picked_up', to: 'cancelled', operation: 'cancelShipment' };
const cancelInTransit: Edge = { from: 'in_transit', to: 'cancelled', operation: 'cancelShipment' };

test.for([[], [cancelPickedUp], [cancelPickedUp, cancelInTransit], [cancelInTransit]])(
  'the diagram of the lifecycle with %o has an arrow for each transition',
  (more) => {
    const all = [created, ...edges, ...more];
    expect(arrowsOf(diagram(all)).sort()).toEqual(all.map(({ from, to }) => `${from} → ${to}`).sort());
  },
);

test('the diagram refuses a transition that it cannot draw', () => {
  const skip: Edge = { from: 'scheduled', to: 'delivered', operation: 'submitProofOfDelivery' };
  expect(() => diagram([created, ...edges, skip])).toThrow('cannot draw scheduled → delivered');
});
