/** What `value`, which stands at `location`, is or refers to, and where that stands. */
export function follow(ctx, value, location) {
  return value?.$ref ? ctx.resolve(value, location.source.absoluteRef) : { node: value, location };
}
