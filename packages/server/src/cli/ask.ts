import { createInterface } from 'node:readline/promises';

/** Asks the user of the terminal. Without an answer, such as after Ctrl-D, it resolves to an empty text. */
export async function ask(question: string): Promise<string> {
  using terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  return await Promise.race([terminal.question(question), closed]);
}
