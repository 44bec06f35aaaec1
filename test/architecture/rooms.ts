import { type Source, target } from './sources.ts';

export const server = 'packages/server/src/';

/** A folder of the server, or a file that stands by itself: `contract`, `config.ts`. */
export const roomOf = (path: string): string => path.slice(server.length).split('/')[0] ?? '';

/** Room → the rooms that it needs at run time, each with the import that says so. */
export function needs(sources: Source[]): Map<string, Map<string, string>> {
  const rooms = new Map<string, Map<string, string>>();
  for (const source of sources) {
    const room = roomOf(source.path);
    const needed = rooms.get(room) ?? new Map<string, string>();
    rooms.set(room, needed);
    for (const one of source.imports) {
      const path = target(source.path, one);
      if (one.isType || !path?.startsWith(server) || roomOf(path) === room) continue;
      needed.set(roomOf(path), `${source.path} imports ${one.from}`);
    }
  }
  return rooms;
}

/** Rooms that need each other, as the imports that lead around; each circle once for each of its rooms. */
export function circles(sources: Source[]): string[] {
  const rooms = needs(sources);
  const around = (from: string, to: string, seen: Set<string>): string[] | undefined => {
    for (const [next, reason] of rooms.get(from) ?? []) {
      if (next === to) return [reason];
      if (seen.has(next)) continue;
      const rest = around(next, to, seen.add(next));
      if (rest) return [reason, ...rest];
    }
    return undefined;
  };
  return [...rooms.keys()].flatMap((room) => {
    const circle = around(room, room, new Set());
    return circle ? [`${room}: ${circle.join(', ')}`] : [];
  });
}

/** Library → the rooms that import it, types apart. */
export function roomsOf(library: string, sources: Source[]): string[] {
  const users = sources.filter(({ imports }) =>
    imports.some(({ from, isType }) => !isType && (from === library || from.startsWith(`${library}/`))),
  );
  return [...new Set(users.map(({ path }) => roomOf(path)))].sort();
}
