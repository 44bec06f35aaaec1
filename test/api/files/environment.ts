/** The head of a PUT request. */
export const putHead = (url: string, headers: Record<string, string | number>): string => {
  const { host, pathname } = new URL(url);
  const fields = Object.entries({ host, 'content-type': 'image/png', ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `PUT ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
};
