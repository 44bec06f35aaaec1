import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { maxBodyBytes } from '@waybill/contract/body-limit';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { streamLimits } from '@waybill/http/streamed-body';
import { variables } from '@waybill/server/config';
import { defaultLimits } from '@waybill/server/database/schema/migrate';
import { streamTimes } from '@waybill/server/events/stream';
import { uploadLife } from '@waybill/server/proof/uploads';
import { attemptTimeout } from '@waybill/server/webhooks/attempts/send';
import { expect } from 'vitest';
import { test } from '../../fixtures/test.ts';

const guides = ['packages/docs/guides/webhooks', 'deploy/guides/several-machines', 'deploy/guides/upgrades'];
const texts = guides.map((path) => readFileSync(new URL(`../../../${path}.md`, import.meta.url), 'utf8'));
const stated = [JSON.stringify(contract), ...texts].join(' ').replaceAll(/\\n|\s+/g, ' ');

test.for([
  `JSON body has at most ${maxBodyBytes / 1024 ** 2} MiB`,
  `more than ${maxHeaderSize / 1024} KiB in total`,
  `file ${contract.components.schemas.ProofUploadRequest.properties.size.maximum / 1024 ** 2} MiB and not more than`,
  `retained for ${variables.POSITION_DAYS.default} days, unless the operator`,
  `${uploadLife / 3_600_000} hours after it if its bytes have arrived`,
  `At least every ${streamTimes.heartbeat / 1000} seconds the stream sends`,
  `nothing for ${streamLimits.stall / 1000} seconds`,
  `ends a stream after ${Number(variables.EVENT_STREAM_SECONDS.default) / 60} minutes`,
  `at most ${variables.EVENT_STREAMS_PER_KEY.default} streams`,
  `within ${attemptTimeout / 1000} seconds after the service has begun to connect`,
  `\`DRAIN_MS\`, by default ${Number(variables.DRAIN_MS.default) / 1000} seconds`,
  `waits for a lock for ${defaultLimits.lockTimeout / 1000} seconds is cancelled and tried again, up to ${defaultLimits.attempts}`,
])('the contract and the guides state the limit of the service: %s', (sentence) => {
  expect(stated).toContain(sentence);
});

test('an X-Request-Id of 1 to 128 permitted characters is returned, and any other is replaced', async ({ service }) => {
  const idFor = async (sent: string) => {
    const response = await fetch(`${service.origin}/health/live`, { headers: { 'x-request-id': sent } });
    return response.headers.get('x-request-id');
  };
  for (const id of ['a', 'A9._-', 'x'.repeat(128)]) expect(await idFor(id)).toBe(id);
  for (const id of ['', 'x'.repeat(129), 'a b', 'a/b', 'a"']) expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
});
