export const problemType = 'application/problem+json';

/** Headers of every response. */
export const commonHeaders = (id: string): Record<string, string> => ({
  'x-request-id': id,
  'x-content-type-options': 'nosniff',
});
