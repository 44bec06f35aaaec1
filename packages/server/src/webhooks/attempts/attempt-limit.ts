import { type DeliveryResult, isAttempted } from './attempt-result.ts';
import { initialAttempts, maxAttempts } from './socket-limits.ts';

/** The same while the receiver responds to none: from a recorded failure until the next recorded success. */
const attemptsWhenFailing = 2;

/** How many attempts an endpoint may have at a time. */
export class AttemptLimit {
  /** Whether the endpoint had `failing_since` when attempts were recorded or selected last. */
  isReceiverFailing = false;
  /** The limit while the receiver does not fail, in tenths of an attempt. */
  #tenths = 10 * initialAttempts;

  most(): number {
    return this.isReceiverFailing ? attemptsWhenFailing : Math.floor(this.#tenths / 10);
  }

  /**
   * Ten deliveries permit one attempt more, a failed attempt one less, so that a few requests without a response do not hold up
   * the others. An expired event changes nothing: no request was sent.
   */
  adapt(result: DeliveryResult): void {
    if (!isAttempted(result)) return;
    const adapted = this.#tenths + (result.status === 'delivered' ? 1 : -10);
    this.#tenths = Math.max(10 * initialAttempts, Math.min(10 * maxAttempts, adapted));
  }
}
