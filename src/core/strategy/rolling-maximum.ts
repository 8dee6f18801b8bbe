/**
 * The highest of the last n values for several n at once. One queue of falling values serves every lookback: the highest of a shorter
 * window is the first entry of the same queue that is young enough, so each lookback keeps a head of its own. Amortised O(1) a value.
 * The lowest is the highest of the negated values.
 */
export type RollingMaximum = {
  readonly lookbacks: Int32Array
  /** The queue, in rings of a power of two: the values, and the number of the value in the order of time. */
  readonly values: Float64Array
  readonly numbers: Int32Array
  readonly mask: number
  /** Position in the queue where each lookback's window begins. */
  readonly heads: Int32Array
  /** Position behind the newest entry. */
  tail: number
  /** Values pushed so far. */
  count: number
}

export function rollingMaximum(lookbacks: readonly number[]): RollingMaximum {
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(...lookbacks) + 1))
  return {
    lookbacks: Int32Array.from(lookbacks),
    values: new Float64Array(capacity),
    numbers: new Int32Array(capacity),
    mask: capacity - 1,
    heads: new Int32Array(lookbacks.length),
    tail: 0,
    count: 0,
  }
}

export function pushValue(rolling: RollingMaximum, value: number): void {
  const { values, numbers, heads, lookbacks, mask, count } = rolling
  const oldest = Math.min(at(heads, heads.length - 1), rolling.tail)
  let tail = rolling.tail
  while (tail > oldest && at(values, (tail - 1) & mask) <= value) tail -= 1
  values[tail & mask] = value
  numbers[tail & mask] = count
  for (let which = 0; which < heads.length; which += 1) {
    const expired = count - at(lookbacks, which)
    let head = Math.min(at(heads, which), tail)
    while (at(numbers, head & mask) <= expired) head += 1
    heads[which] = head
  }
  rolling.tail = tail + 1
  rolling.count = count + 1
}

/** The highest of the last `lookbacks[which]` values, or of all where there are fewer; at least one value must have been pushed. */
export function maximumOf(rolling: RollingMaximum, which: number): number {
  return at(rolling.values, at(rolling.heads, which) & rolling.mask)
}

/** Reads a column inside its bounds. */
function at(column: Float64Array | Int32Array, index: number): number {
  return column[index] ?? Number.NaN
}
