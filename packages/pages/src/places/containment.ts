/** The region that contains a region, if any, and its names, by the code of ISO 3166-2 without the country. */
export type Regions = Record<string, [parent: string, ...names: string[]]>;

/** The code of a region and those of the regions that contain it, from the inside. */
export function codesWithin(regions: Regions, code: string | undefined): string[] {
  const codes: string[] = [];
  for (let next = code; next; next = regions[next]?.[0]) codes.push(next);
  return codes;
}
