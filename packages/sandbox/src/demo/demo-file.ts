import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { writePrivateFile } from './private-files.ts';
import type { Settings } from './settings.ts';

/** What scripts need that use the running service. */
export interface DemoFile extends Account {
  base_url: string;
  mock_url?: string;
  database_url: string;
}

export const demoFile = ({ dataDir }: Pick<Settings, 'dataDir'>): string => join(dataDir, 'demo.json');

/** The file of this start or an earlier one; undefined when it is missing or damaged. */
export const readDemoFile = (settings: Pick<Settings, 'dataDir'>): Promise<DemoFile | undefined> =>
  readFile(demoFile(settings), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);

export const writeDemoFile = (settings: Pick<Settings, 'dataDir'>, content: DemoFile): Promise<void> =>
  writePrivateFile(demoFile(settings), `${JSON.stringify(content, null, 2)}\n`);
