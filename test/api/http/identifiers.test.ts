import { newUuid, publicId, timeOfUuid, uuidFromPublicId } from '@waybill/server/database/identifiers';
import { expect, test } from 'vitest';
import { clock } from '../../fixtures/clock.ts';

test.each([
  ['01890a5d-ac96-774b-bcce-b302099a8057', 'ship_01h455vb4pex5vsknk084sn02q'], // the example of the TypeID specification
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ship_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
])('the identifier of the uuid %s is %s', (uuid, id) => {
  expect([publicId('ship', uuid), uuidFromPublicId('ship', id)]).toEqual([id, uuid]);
});

test('uuids of one millisecond are in order, and those made after the clock is put back have its time', () => {
  const time = clock();
  const first = Array.from({ length: 300 }, newUuid);
  expect(first.toSorted()).toEqual(first);
  expect(first[299]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  time.forward(-5_000);
  expect(timeOfUuid(newUuid()).getTime()).toBe(Date.now());
});
