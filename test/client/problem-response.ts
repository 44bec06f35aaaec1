/** A response of the service with a problem. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    {
      type: `tag:waybill-freight.github.io,2026:${code}`,
      title: 'T',
      status,
      detail: 'D',
      instance: '/v1',
      code,
      request_id: 'r',
    },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );
