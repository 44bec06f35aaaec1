/**
 * Waits for a promise, at most so many milliseconds. What the promise belongs to goes on after that.
 * @param onTimeout its result takes the place of the promise's: it returns a value or throws
 */
export async function withTimeLimit<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  onTimeout: () => Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([promise, timeout.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
