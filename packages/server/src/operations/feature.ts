import type { Feature } from '../feature.ts';
import { retentionHours } from './stored-responses.ts';

/** The stored responses of requests with an Idempotency-Key. */
export const idempotency = {
  tables: {
    idempotency_keys: {
      citus: 'distributed',
      expired: { idempotencyKeys: { column: 'created_at', age: `${retentionHours} hours` } },
      ofAccount: ['key'],
    },
  },
} satisfies Feature;
