/** Makes a tracking number: the prefix, the year in UTC and the number, with at least six digits. */
export const trackingNumber = (prefix: string, createdAt: Date, number: string): string =>
  `${prefix}-${createdAt.getUTCFullYear()}-${number.padStart(6, '0')}`;
