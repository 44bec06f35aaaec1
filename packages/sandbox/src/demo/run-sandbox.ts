import usage from '../main.usage.json' with { type: 'json' };
import { banner, firstCommands, placesOf } from './banner.ts';
import { checkSettings, startDemo } from './demo.ts';
import { runDemo } from './run-demo.ts';
import { showSimulation } from './show-simulation.ts';

/** Runs the command: starts PostgreSQL and the service, prints where they are, and waits. */
export const runSandbox = (): Promise<void> =>
  runDemo(usage, async (settings, options, signal) => {
    await checkSettings(settings);
    console.log(`Starting ${settings.databaseUrl ? '' : 'PostgreSQL and '}the service …`);
    await using demo = await startDemo(settings, options, signal);
    const { account, env, end } = demo;
    console.log(banner(placesOf(settings, account), account ? firstCommands(settings, account) : {}));
    if (options.simulate && account) await showSimulation(account, env, signal);
    return await end;
  });
