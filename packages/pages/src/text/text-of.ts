/** The entry of a value that the contract may add to a list later, or undefined. */
export const textOf = (texts: Record<string, string>, value: string): string | undefined =>
  Object.hasOwn(texts, value) ? texts[value] : undefined;
