import { missingPrograms } from '@waybill/tools/lab/cluster/daemon';
import { test } from 'vitest';

const missing = missingPrograms();

/** A test that is skipped when this machine lacks a program of a cluster. */
export const testWithCluster = test.skipIf(missing.length > 0);

/** Completes the name of such a test. */
export const why: string = missing.length > 0 ? ` (skipped: ${missing.join(', ')} missing; .ci/run installs it)` : '';
