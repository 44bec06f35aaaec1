/** What this tab remembers until it is closed. Without storage, in a build or a browser that blocks it, nothing is. */
export const tabStorage = {
  get(name: string): string | undefined {
    try {
      return sessionStorage.getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set(name: string, value: string): void {
    try {
      sessionStorage.setItem(name, value);
    } catch {}
  },
};
