import { readFileSync } from 'node:fs';
import { exceptionKinds } from '@waybill/contract/exceptions';
import { expect, test } from 'vitest';

const guide = new URL('../../packages/docs/guides/exceptions.md', import.meta.url);

/** Codes of X12 with their names, by element (https://www.stedi.com/edi/x12-005010/element/1651 and …/1650). */
const x12: Record<string, string> = {
  '1651 AO': 'Weather or Natural Disaster Related',
  '1651 BE': 'Road Conditions',
  '1651 AI': 'Mechanical Breakdown',
  '1651 P1': 'Processing Delay',
  '1651 A1': 'Missed Delivery',
  '1651 AQ': 'Recipient Unavailable - Delivery Delayed',
  '1650 A7': 'Refused by Consignee',
  '1651 A2': 'Incorrect Address',
  '1651 B1': 'Consignee Closed',
  '1650 A9': 'Shipment Damaged',
  '1650 PA': 'Partial Shipment',
  '1651 AS': 'Hold Due to Customs Documentation Problems',
  '1651 A5': 'Unable to Locate',
};
/** Event types of the In-Transit Visibility API of the NMFTA (1.0.0, public preview). */
const nmfta = ['DELAY', 'EXCEPTION', 'DELIVERY_ATTEMPTED', 'PICKUP_ATTEMPTED'];

test('the guide names a code of X12 and a type of the NMFTA for every code of an exception', () => {
  const rows = [...readFileSync(guide, 'utf8').matchAll(/^\| `(\w+)` +\| (\d+) `(\w+)` \| ([^|;]+).*\| (.+?) +\|$/gm)];
  expect(rows.map(([, code]) => code)).toEqual(Object.keys(exceptionKinds));
  for (const [, code = '', element, reason, name = '', types = ''] of rows) {
    expect([code, name.trim()]).toEqual([code, x12[`${element} ${reason}`]]);
    expect(nmfta).toEqual(expect.arrayContaining(types.split(', ').map((type) => type.replaceAll('`', ''))));
  }
});
