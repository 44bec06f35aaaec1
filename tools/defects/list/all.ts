import type { Defect } from '../defect.ts';
import { access } from './access.ts';
import { adapter } from './adapter.ts';
import { handlers } from './handlers.ts';
import { packages } from './packages.ts';
import { queries } from './queries.ts';
import { spec } from './spec.ts';

/** Every defect that the suite must notice. */
export const defects: Defect[] = [...handlers, ...access, ...queries, ...adapter, ...spec, ...packages];
