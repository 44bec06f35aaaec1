/** The target of `value` if it is a reference, else `value`, with its location. */
export function follow(ctx, value, location) {
  return value?.$ref ? ctx.resolve(value, location.source.absoluteRef) : { node: value, location };
}
