/** Parses the query parameter `types`. @returns undefined for all types */
export const typesOf = (list: string | undefined): Set<string> | undefined =>
  list === undefined ? undefined : new Set(list.split(','));
