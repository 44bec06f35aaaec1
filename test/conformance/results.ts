import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes which client passed what, for the docs: `npx -y pnpm@12 test:clients` uses it. */
export default class Results implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results: Record<string, string[]> = {};
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const client = /^the (\w+) client/.exec(test.parent.type === 'suite' ? test.parent.name : '')?.[1];
        if (!client) continue;
        results[test.name] ??= [];
        if (test.result().state === 'passed') results[test.name]?.push(client);
      }
    }
    const file = new URL('../../packages/docs/src/client-results.json', import.meta.url);
    writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  }
}
