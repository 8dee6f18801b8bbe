/**
 * Random numbers for simulated markets: fast, repeatable and unfit for secrets. Both algorithms are
 * in the public domain.
 */

/** 32 well-mixed bits from up to four whole numbers (MurmurHash3's finalizer). */
export function mix({
  seed,
  stream,
  step,
  salt = 0,
}: {
  seed: number
  stream: number
  step: number
  salt?: number
}): number {
  return scramble(scramble(scramble(scramble(seed) ^ stream) ^ step) ^ salt)
}

/** Uniform numbers in [0, 1) (mulberry32). */
export function uniformFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Mean 0, variance 1, bounded by ±3.5 (the sum of four uniforms). Callers must add fat tails. */
export function nearlyNormal(uniform: () => number): number {
  return (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3)
}

function scramble(value: number): number {
  let bits = Math.imul(value ^ 0x9e3779b9, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
