import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface Process {
  pid: number;
  parent: number;
}

/** The process id and those of the children. */
export async function processAndChildren(pid: number): Promise<number[]> {
  const children = (await processes()).filter(({ parent }) => parent === pid);
  return [pid, ...children.map((child) => child.pid)];
}

/** The command lines of all processes whose environment contains the text, wherever they are in the process tree. */
export async function commandsWithVariable(variable: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const found = await Promise.all(
    pids.map(async (pid) => ((await read(pid, 'environ')).includes(variable) ? [await read(pid, 'cmdline')] : [])),
  );
  return found.flat().filter((command) => command !== ''); // a zombie has no command line
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

/** The fields of /proc/<pid>/stat after the name, which may contain spaces and parentheses: state, parent, … */
export async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The resident memory of a process in MiB; undefined without /proc. */
export async function residentMemory(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(text) ?? [];
  return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1024);
}
