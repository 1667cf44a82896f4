/** Continues with a value at once, or when its promise resolves. Awaiting a value that is not a promise would cost more than computing it. */
export function andThen<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
