/** Splits the comma-separated list of a setting. */
export const splitList = (list: string): string[] => list.split(',').map((entry) => entry.trim());
