/** The country of an address without one, as its description in the contract says. */
const defaultCountry = 'US';

/**
 * The fields that an address lacks and that its country requires, with what is wrong.
 * @param requiredIn field → countries, as `x-required-in` has them
 */
export function missingFields(
  requiredIn: Record<string, string[]>,
  address: Record<string, unknown>,
): [field: string, detail: string][] {
  const country = String(address.country ?? defaultCountry);
  const name = address.country ? country : `${country}, which is the default,`;
  return Object.entries(requiredIn)
    .filter(([field, countries]) => (address[field] ?? undefined) === undefined && countries.includes(country))
    .map(([field]) => [field, `is required: the postal format of ${name} has it`]);
}
