/** A bug of ours, never a user's mistake: answered with 500 and logged. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed'
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message)
}

/**
 * Returns `value`, which our own rules guarantee. Throws `AssertionFailed` on null or undefined.
 */
export function required<Value>(value: Value | null | undefined, message: string): Value {
  assert(value !== null && value !== undefined, message)
  return value
}
