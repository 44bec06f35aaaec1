import { runTasks } from './child.ts';

process.exitCode = await runTasks('lint', 'check', 'typecheck', 'build', 'test', ...process.argv.slice(2));
