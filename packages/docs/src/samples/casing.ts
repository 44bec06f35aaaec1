/** Names of fields, types and values in the styles of the languages. */

const upper = (_: string, letter: string): string => letter.toUpperCase();

/** `pickup_window` → `pickupWindow`. */
export const camel = (name: string): string => name.replaceAll(/_(\w)/g, upper);

/** `pickup_window`, `shipments:read` → `PickupWindow`, `ShipmentsRead`. */
export const pascal = (name: string): string => name.replaceAll(/(?:^|\W|_)(\w)/g, upper);

/** `shipments:read` → `SHIPMENTS_READ`. */
export const screaming = (name: string): string => identifier(name.toUpperCase().replaceAll(/\W/g, '_'));

/** A name that begins with no digit. */
export const identifier = (name: string): string => name.replace(/^(?=\d)/, '_');
