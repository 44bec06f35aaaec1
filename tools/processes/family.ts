import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface Process {
  pid: number;
  parent: number;
}

/** A process and its children. */
export async function familyOf(pid: number): Promise<number[]> {
  const children = (await processes()).filter(({ parent }) => parent === pid);
  return [pid, ...children.map((child) => child.pid)];
}

/** The command lines of the processes that inherited an environment variable, wherever they are in the process tree. */
export async function commandsWith(variable: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const found = await Promise.all(
    pids.map(async (pid) => ((await read(pid, 'environ')).includes(variable) ? [await read(pid, 'cmdline')] : [])),
  );
  return found.flat().filter((command) => command !== ''); // a zombie has none
}

async function processes(): Promise<Process[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=']);
    return stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [pid, parent] = line.trim().split(/\s+/);
        return { pid: Number(pid), parent: Number(parent) };
      });
  }
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const fields = await statOf(Number(name));
      return fields ? [{ pid: Number(name), parent: Number(fields[1]) }] : [];
    }),
  );
  return found.flat();
}

/** The fields of /proc/<pid>/stat after the name, which may itself hold spaces and parentheses: state, parent, … */
export async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The resident memory of a process in MiB; undefined where /proc is not. */
export async function residentMemory(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(text) ?? [];
  return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1024);
}
