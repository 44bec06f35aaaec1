/** Calls a function with a value: at once, or when the promise resolves. Most requests then wait for no promise. */
export const andThen = <Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(next) : next(value));
