/** A bug of ours, never the user's mistake: it surfaces as a 500 and in the logs. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed'
}

/** Throws `AssertionFailed` with `message` unless `condition` holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message)
}

/**
 * Returns `value`, or throws `AssertionFailed` if it is null or undefined. For lookups that our own
 * rules guarantee.
 */
export function required<Value>(value: Value | null | undefined, message: string): Value {
  assert(value !== null && value !== undefined, message)
  return value
}
