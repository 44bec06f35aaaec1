import { phoneUrl } from '@waybill/pages/text/phone';
import { expect, test } from 'vitest';

test.each([
  ['(503) 555-0142', '5035550142'],
  ['+1 503 555 0142', '+15035550142'],
  ['+49 (0)30 1234567', '+49301234567'],
  ['\u202a+1\u00a0503\u2011555\u20110142\u202c', '+15035550142'],
  // Extensions.
  ['(503) 555-0142 ext. 12', '5035550142;ext=12'],
  ['503-555-0142,,12', '5035550142;ext=12'],
  // The first of several numbers.
  ['503-555-0142 / 503-555-0143', '5035550142'],
  ['503 555 0142 503 555 0143', '5035550142'],
  // Letters are keys, or words after the number.
  ['1-800-flowers', '18003569377'],
  ['Call 24 HOURS: 503-555-0142', '5035550142'],
  // Digits of other scripts.
  ['（５０３）５５５－０１４２', '5035550142'],
  ['+۴۹ ۳۰ ۱۲۳۴۵۶۷', '+49301234567'],
])('the link for %s is tel:%s', (text, number) => {
  expect(phoneUrl(text)).toBe(`tel:${number}`);
});

test('a code of the phone network, a script, a word, and what is too short or too long are no number', () => {
  const codes = ['*#06#', 'tel:*#06#', '＊＃０６＃', 'Call *#06#', '**21*5035550142#', '##002#'];
  const others = ['5035550142*12#', 'javascript:alert(1)', 'ask at the gate', '12', '1234567890123456'];
  for (const text of [...codes, ...others, '']) expect(phoneUrl(text), text).toBeUndefined();
});
