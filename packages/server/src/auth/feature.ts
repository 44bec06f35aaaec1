import type { Feature } from '../feature.ts';

/** Accounts, their keys, and what operators have changed. On Citus, the coordinator authenticates every request. */
export const accounts = {
  tables: {
    accounts: { citus: 'reference', expired: 'stays', ofAccount: 'at_once' },
    api_keys: { citus: 'local', expired: 'stays', ofAccount: 'at_once', counted: 'keys' },
    audit_log: { citus: 'local', expired: 'stays', ofAccount: 'stays' },
  },
} satisfies Feature;
