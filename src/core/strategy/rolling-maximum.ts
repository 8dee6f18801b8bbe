/**
 * Maxima of the last n values for several n at once. All lookbacks share one queue of descending
 * values: each maximum is the first entry that is recent enough. Amortized O(1) per value. For a
 * rolling minimum, push negated values.
 */
export type RollingMaximum = {
  readonly lookbacks: Int32Array
  /** Ring buffers whose size is a power of two: values, and their numbers. */
  readonly values: Float64Array
  readonly numbers: Int32Array
  readonly mask: number
  /** Position of each lookback's maximum in the queue. */
  readonly heads: Int32Array
  /** Exclusive. */
  tail: number
  count: number
}

/** Window lengths in values, ascending. */
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
  while (tail > oldest && valueAt(values, (tail - 1) & mask) <= value) tail -= 1
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

/**
 * The highest of the last `lookbacks[which]` values, or of all if there are fewer. Needs at least
 * one value.
 */
export function maximumOf(rolling: RollingMaximum, which: number): number {
  return valueAt(rolling.values, at(rolling.heads, which) & rolling.mask)
}

/**
 * Callers must keep `index` in bounds. One function for each kind of column, because a shared one
 * took a fifth longer.
 */
function at(column: Int32Array, index: number): number {
  return column[index] ?? Number.NaN
}

function valueAt(column: Float64Array, index: number): number {
  return column[index] ?? Number.NaN
}
