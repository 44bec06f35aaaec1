// Made from src/database/migrations/ by `npx -y pnpm@12 generate`. Do not edit.
import type { Migrations } from '../src/database/schema/migration.ts';
import * as migration1 from '../src/database/migrations/0001-baseline.ts';
import * as migration2 from '../src/database/migrations/0002-timelines.ts';
import * as migration3 from '../src/database/migrations/0002a-ended-shipments.ts';
import * as migration4 from '../src/database/migrations/0005-documents.ts';
import * as migration5 from '../src/database/migrations/0005a-documents-index.ts';

/** All migrations, in order. */
export const migrations: Migrations = {
  '0001-baseline': migration1,
  '0002-timelines': migration2,
  '0002a-ended-shipments': migration3,
  '0005-documents': migration4,
  '0005a-documents-index': migration5,
};
