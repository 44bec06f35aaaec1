import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface Process {
  pid: number;
  parent: number;
  /** The command line; empty for a zombie. */
  command: string;
}

/** Undefined when there is no such process or it is not readable. */
export async function readProcess(pid: number): Promise<Process | undefined> {
  if (process.platform !== 'linux') return (await ps('-p', String(pid)).catch(() => []))[0];
  const [, parent] = (await statOf(pid)) ?? [];
  if (parent === undefined) return undefined;
  return { pid, parent: Number(parent), command: (await readProc(pid, 'cmdline')).replaceAll('\0', ' ').trimEnd() };
}

/** The process id and those of the children. */
export async function processAndChildren(pid: number): Promise<number[]> {
  const linux = async () => (await Promise.all((await linuxPids()).map(readProcess))).filter((it) => it !== undefined);
  const processes = process.platform === 'linux' ? await linux() : await ps('-ax');
  return [pid, ...processes.filter(({ parent }) => parent === pid).map((child) => child.pid)];
}

/** The command lines of all processes whose environment contains the text, wherever they are in the process tree. */
export async function commandsWithVariable(variable: string): Promise<string[]> {
  const commands = (await linuxPids()).map(async (pid) =>
    (await readProc(pid, 'environ')).includes(variable) ? ((await readProcess(pid))?.command ?? '') : '',
  );
  return (await Promise.all(commands)).filter((command) => command !== '');
}

/** The fields of /proc/<pid>/stat after the name, which may contain spaces and parentheses: state, parent, … */
export async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readProc(pid, 'stat');
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The resident memory of a process in MiB; undefined without /proc. */
export async function residentMemory(pid: number): Promise<number | undefined> {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readProc(pid, 'status')) ?? [];
  return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1024);
}

const linuxPids = async (): Promise<number[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);

/** Linux has /proc, but sometimes no ps. @returns '' when the process has ended */
const readProc = (pid: number, file: string): Promise<string> =>
  readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');

async function ps(...args: string[]): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'pid=,ppid=,command=', ...args]);
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, command = '']) => {
    return { pid: Number(pid), parent: Number(parent), command };
  });
}
