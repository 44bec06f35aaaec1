/** A small patch that makes something wrong, and where it should be noticed. */
export interface Defect {
  /** What is wrong, in a few words. */
  name: string;
  /** From the root of the repository. */
  file: string;
  /** What stands once in the file, and what stands there instead. */
  edits: [find: string, replace: string][];
  /** The tests that should notice, as vitest's filter in `test/`: they run first, the rest only if they do not. */
  seenBy: string;
}

/** A defect of one edit. */
export const defect = (name: string, file: string, find: string, replace: string, seenBy: string): Defect => ({
  name,
  file,
  edits: [[find, replace]],
  seenBy,
});

/**
 * The file's text with the defect in it.
 * @throws when what it replaces is not there once: the code has changed, and the defect must change with it
 */
export function planted({ name, file, edits }: Defect, text: string): string {
  return edits.reduce((patched, [find, replace]) => {
    const [before, after, ...more] = patched.split(find);
    if (before === undefined || after === undefined || more.length > 0) {
      const count = patched.split(find).length - 1;
      throw new Error(`'${name}' no longer fits ${file}: what it replaces is there ${count} times, not once.\n${find}`);
    }
    return before + replace + after;
  }, text);
}
