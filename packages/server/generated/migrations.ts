// Made from src/database/migrations/ by `npx -y pnpm@12 generate`. Do not edit.
import type { Migrations } from '../src/database/migration.ts';
import * as migration1 from '../src/database/migrations/0001-first.ts';
import * as migration2 from '../src/database/migrations/0002-complete.ts';
import * as migration3 from '../src/database/migrations/0003-position-days.ts';
import * as migration4 from '../src/database/migrations/0004-stored-bytes.ts';
import * as migration5 from '../src/database/migrations/0005-events.ts';
import * as migration6 from '../src/database/migrations/0006-webhooks.ts';
import * as migration7 from '../src/database/migrations/0007-webhook-changes.ts';
import * as migration8 from '../src/database/migrations/0008-audit-log.ts';
import * as migration9 from '../src/database/migrations/0009-event-types.ts';
import * as migration10 from '../src/database/migrations/0010-position-changes.ts';
import * as migration11 from '../src/database/migrations/0011-shipment-changes.ts';
import * as migration12 from '../src/database/migrations/0012-exceptions.ts';
import * as migration13 from '../src/database/migrations/0013-open-exceptions.ts';
import * as migration14 from '../src/database/migrations/0014-accesses.ts';
import * as migration15 from '../src/database/migrations/0015-unattended-deliveries.ts';
import * as migration16 from '../src/database/migrations/0016-access-kinds.ts';
import * as migration17 from '../src/database/migrations/0017-handover-codes.ts';
import * as migration18 from '../src/database/migrations/0018-proofs-without-location.ts';
import * as migration19 from '../src/database/migrations/0019-pickups.ts';
import * as migration20 from '../src/database/migrations/0020-newest-events.ts';
import * as migration21 from '../src/database/migrations/0021-exceptions-by-status.ts';
import * as migration22 from '../src/database/migrations/0022-uploads-end.ts';
import * as migration23 from '../src/database/migrations/0023-account-shares.ts';
import * as migration24 from '../src/database/migrations/0024-jumps.ts';
import * as migration25 from '../src/database/migrations/0025-ended-shipments.ts';

/** All migrations, in order. */
export const migrations: Migrations = {
  '0001-first': migration1,
  '0002-complete': migration2,
  '0003-position-days': migration3,
  '0004-stored-bytes': migration4,
  '0005-events': migration5,
  '0006-webhooks': migration6,
  '0007-webhook-changes': migration7,
  '0008-audit-log': migration8,
  '0009-event-types': migration9,
  '0010-position-changes': migration10,
  '0011-shipment-changes': migration11,
  '0012-exceptions': migration12,
  '0013-open-exceptions': migration13,
  '0014-accesses': migration14,
  '0015-unattended-deliveries': migration15,
  '0016-access-kinds': migration16,
  '0017-handover-codes': migration17,
  '0018-proofs-without-location': migration18,
  '0019-pickups': migration19,
  '0020-newest-events': migration20,
  '0021-exceptions-by-status': migration21,
  '0022-uploads-end': migration22,
  '0023-account-shares': migration23,
  '0024-jumps': migration24,
  '0025-ended-shipments': migration25,
};
