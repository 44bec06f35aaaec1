/** For `vi.waitFor`: longer than anything takes on a busy machine, and shorter than the timeout of a test. */
export const patience = { timeout: 60_000, interval: 20 };
