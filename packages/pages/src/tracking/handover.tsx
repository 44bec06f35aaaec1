import { isFinal } from '@waybill/contract/statuses';
import type { JSX } from 'preact';
import type { PageContext } from './view.ts';

/** The code that the consignee says to the driver, until the delivery. */
export function handover({ view, messages }: PageContext): JSX.Element | undefined {
  const code = view.shipment?.handover_code;
  if (code === undefined || isFinal(view.tracking.status)) return undefined;
  return (
    <section class="card handover" id="handover">
      <h2>{messages.handoverCode}</h2>
      <p class="code mono">{code}</p>
      <p>{messages.handoverHint}</p>
    </section>
  );
}
