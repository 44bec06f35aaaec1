// Made from src/database/migrations/ by `npx -y pnpm@12 generate`. Do not edit.
import type { Migrations } from '../src/database/schema/migration.ts';
import * as migration1 from '../src/database/migrations/0001-baseline.ts';
import * as migration2 from '../src/database/migrations/0002-timelines.ts';
import * as migration3 from '../src/database/migrations/0002a-ended-shipments.ts';
import * as migration4 from '../src/database/migrations/0003-references.ts';
import * as migration5 from '../src/database/migrations/0003a-open-references.ts';
import * as migration6 from '../src/database/migrations/0003b-free-references.ts';
import * as migration7 from '../src/database/migrations/0003c-pickup-start.ts';
import * as migration8 from '../src/database/migrations/0003d-delivery-start.ts';
import * as migration9 from '../src/database/migrations/0003e-carrier.ts';
import * as migration10 from '../src/database/migrations/0003f-destination-city.ts';
import * as migration11 from '../src/database/migrations/0005-documents.ts';
import * as migration12 from '../src/database/migrations/0005a-documents-index.ts';
import * as migration13 from '../src/database/migrations/0006-dispatcher-phone.ts';
import * as migration14 from '../src/database/migrations/0007-voided-exceptions.ts';
import * as migration15 from '../src/database/migrations/0008-reported-arrivals.ts';
import * as migration16 from '../src/database/migrations/0009-reference-keys.ts';
import * as migration17 from '../src/database/migrations/0009a-reference-value-keys.ts';
import * as migration18 from '../src/database/migrations/0010-replay-ranges.ts';
import * as migration19 from '../src/database/migrations/0011-agreeing-positions.ts';

/** All migrations, in order. */
export const migrations: Migrations = {
  '0001-baseline': migration1,
  '0002-timelines': migration2,
  '0002a-ended-shipments': migration3,
  '0003-references': migration4,
  '0003a-open-references': migration5,
  '0003b-free-references': migration6,
  '0003c-pickup-start': migration7,
  '0003d-delivery-start': migration8,
  '0003e-carrier': migration9,
  '0003f-destination-city': migration10,
  '0005-documents': migration11,
  '0005a-documents-index': migration12,
  '0006-dispatcher-phone': migration13,
  '0007-voided-exceptions': migration14,
  '0008-reported-arrivals': migration15,
  '0009-reference-keys': migration16,
  '0009a-reference-value-keys': migration17,
  '0010-replay-ranges': migration18,
  '0011-agreeing-positions': migration19,
};
