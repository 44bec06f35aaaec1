import { type Mutant, mutantsOf } from '../mutant.ts';
import { access } from './access.ts';
import { adapter } from './adapter.ts';
import { events } from './events.ts';
import { handlers } from './handlers.ts';
import { packages } from './packages.ts';
import { queries } from './queries.ts';
import { spec } from './spec.ts';

/** Every mutant that the tests must kill. */
export const mutants: Mutant[] = [
  ...[handlers, access, queries, adapter, packages, events].flatMap((list) => mutantsOf(list, 'packages/')),
  ...mutantsOf(spec, 'spec/'),
];
