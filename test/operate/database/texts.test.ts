import { getTypeParser } from '@waybill/server/database/database';
import { publicId, uuidFromPublicId } from '@waybill/server/database/identifiers';
import { isoText, isoTime } from '@waybill/server/database/times';
import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';

test('times are texts of ISO 8601 in milliseconds, however PostgreSQL writes them', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.stringMatching(/^(\.\d{0,5}[1-9])?$/), // without zeros at the end
      fc.constantFrom('+00:00', '+05:30', '-04:00'),
      (date, fraction, zone) => {
        expect(isoText(date)).toBe(date.toISOString());
        const stored = `${date.toISOString().slice(0, 19)}${fraction}${zone}`;
        expect(isoTime(stored)).toBe(new Date(stored).toISOString());
        const result = stored.replace('T', ' ').replace(/:00$/, '');
        expect(getTypeParser(pg.types.builtins.TIMESTAMPTZ)(result)).toEqual(new Date(stored));
      },
    ),
  );
});

test('public identifiers are TypeIDs', () => {
  for (const [uuid, suffix] of [
    ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'], // from its specification
    ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ] as const)
    expect([publicId('ship', uuid), uuidFromPublicId('ship', `ship_${suffix}`)]).toEqual([`ship_${suffix}`, uuid]);
});
