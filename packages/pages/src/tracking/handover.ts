import { isFinal } from '@waybill/contract/statuses';
import { h, type JSX } from 'preact';
import type { PageContext } from './view.ts';

/** The code that the consignee says to the driver, until the delivery. */
export function handover({ view, messages }: PageContext): JSX.Element | undefined {
  const code = view.shipment?.handover_code;
  if (code === undefined || isFinal(view.tracking.status)) return undefined;
  return h(
    'section',
    { class: 'card handover', id: 'handover' },
    h('h2', null, messages.handoverCode),
    h('p', { class: 'code mono' }, code),
    h('p', null, messages.handoverHint),
  );
}
