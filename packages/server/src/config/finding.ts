/** The result of a check. */
export interface Finding {
  /** The setting that was checked, or `clock`. */
  name: string;
  ok: boolean;
  /** What was found, as a clause such as `is not writable`. */
  message: string;
  /** What to do when it is not ok, as sentences. */
  fix?: string;
}

export const passed = (name: string, message: string): Finding => ({ name, ok: true, message });

export const failed = (name: string, message: string, fix: string): Finding => ({ name, ok: false, message, fix });

/** The message of an error in one line. Node leaves it empty when it tried several addresses. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message || String('code' in error ? error.code : error.name);
  return text.replaceAll(/\s+/g, ' ');
}
