/** A small change that makes the product wrong, and the tests that must fail because of it. */
export interface Mutant {
  name: string;
  /** Relative to the root of the repository. */
  file: string;
  /**
   * Filters of vitest in `test/`, separated by spaces, or `lint`. These tests run first. The others run only if these
   * pass.
   */
  killedBy: string;
  /** Each key occurs exactly once in the file, and is replaced by its value. */
  edits: Record<string, string>;
}

/** Returns a function that creates mutants of the files in a folder. */
export const mutantsIn =
  (folder: string) =>
  (name: string, file: string, killedBy: string, edits: Mutant['edits']): Mutant => {
    return { name, file: `${folder}/${file}`, killedBy, edits };
  };

/** @throws when an edited text does not occur exactly once: the source has changed, and the mutant must follow */
export function mutated({ name, file, edits }: Mutant, source: string): string {
  return Object.entries(edits).reduce((text, [find, replace]) => {
    const parts = text.split(find);
    if (parts.length === 2) return parts.join(replace);
    throw new Error(`Mutant '${name}': the text to replace occurs ${parts.length - 1} times in ${file}.\n${find}`);
  }, source);
}
