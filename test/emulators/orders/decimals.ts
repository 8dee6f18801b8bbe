/**
 * Amounts in the exchange's book: integers of 10⁻¹⁰, Kraken's precision. Independent of the
 * product's own code.
 */
export type Parts = bigint

const PLACES = 10
const ONE = 10n ** BigInt(PLACES)
const DECIMAL = /^(\d{1,18})(?:\.(\d+))?$/

/** Undefined unless the text is a plain, non-negative decimal within the exchange's precision. */
export function parseParts(text: string | null | undefined): Parts | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text ?? '') ?? []
  const places = fraction.replace(/0+$/, '')
  if (whole === undefined || places.length > PLACES) return undefined
  return BigInt(whole) * ONE + BigInt(places.padEnd(PLACES, '0'))
}

/** Like `parseParts`, for trusted text: the table of markets and tests. */
export function partsOf(text: string): Parts {
  const parts = parseParts(text)
  if (parts === undefined) throw new Error(`not a decimal: ${text}`)
  return parts
}

/** With exactly this many decimals, truncated. */
export function printParts(parts: Parts, places: number): string {
  const digits = (parts / 10n ** BigInt(PLACES - places)).toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export function fits(parts: Parts, places: number): boolean {
  return parts % 10n ** BigInt(PLACES - places) === 0n
}

/** The product, rounded half up to this many decimals. */
export function times(parts: { of: Parts; by: Parts; places: number }): Parts {
  return round(parts.of * parts.by, { divisor: ONE, places: parts.places })
}

/** The quotient, rounded half up to this many decimals. */
export function dividedBy(parts: { of: Parts; by: Parts; places: number }): Parts {
  return round(parts.of * ONE, { divisor: parts.by, places: parts.places })
}

function round(value: bigint, { divisor, places }: { divisor: bigint; places: number }): Parts {
  const step = 10n ** BigInt(PLACES - places)
  const whole = divisor * step
  return ((value + whole / 2n) / whole) * step
}

/** A share of `parts` in basis points, truncated to this many decimals. */
export function shareOf(parts: Parts, { bps, places }: { bps: number; places: number }): Parts {
  const step = 10n ** BigInt(PLACES - places)
  return ((parts * BigInt(bps)) / 10_000n / step) * step
}

/** A price this many basis points worse for the taker, on the next tick. */
export function worse(
  price: Parts,
  { side, bps, places }: { side: 'buy' | 'sell'; bps: number; places: number },
): Parts {
  const tick = 10n ** BigInt(PLACES - places)
  const scaled = price * BigInt(side === 'buy' ? 10_000 + bps : 10_000 - bps)
  const whole = 10_000n * tick
  return (side === 'buy' ? (scaled + whole - 1n) / whole : scaled / whole) * tick
}
