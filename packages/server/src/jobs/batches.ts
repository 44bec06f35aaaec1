/**
 * Repeats `remove` until it removes less than a batch or the signal aborts.
 * @param remove removes up to `size` items and returns their number
 * @returns the total number of removed items
 */
export async function removeInBatches(
  remove: () => Promise<number>,
  size: number,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (;;) {
    if (signal?.aborted) return total;
    const removed = await remove();
    total += removed;
    if (removed < size) return total;
  }
}
