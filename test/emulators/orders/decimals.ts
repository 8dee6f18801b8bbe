/** Amounts in the exchange's book: whole parts of 10⁻¹⁰, as finely as Kraken records its assets. Its own, not the product's. */
export type Parts = bigint

const PLACES = 10
const ONE = 10n ** BigInt(PLACES)
const DECIMAL = /^(\d{1,18})(?:\.(\d+))?$/

/** Undefined for anything but a plain decimal, not negative, of no more places than the exchange knows. */
export function parseParts(text: string | null | undefined): Parts | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text ?? '') ?? []
  const places = fraction.replace(/0+$/, '')
  if (whole === undefined || places.length > PLACES) return undefined
  return BigInt(whole) * ONE + BigInt(places.padEnd(PLACES, '0'))
}

/** As `parseParts`, for the table of markets and for what a test says. */
export function partsOf(text: string): Parts {
  const parts = parseParts(text)
  if (parts === undefined) throw new Error(`not a decimal: ${text}`)
  return parts
}

/** With exactly so many places; what is finer is cut off. */
export function printParts(parts: Parts, places: number): string {
  const digits = (parts / 10n ** BigInt(PLACES - places)).toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export function fits(parts: Parts, places: number): boolean {
  return parts % 10n ** BigInt(PLACES - places) === 0n
}

/** The product to so many places, half a place up. */
export function times(parts: { of: Parts; by: Parts; places: number }): Parts {
  return round(parts.of * parts.by, { divisor: ONE, places: parts.places })
}

/** The quotient to so many places, half a place up. */
export function dividedBy(parts: { of: Parts; by: Parts; places: number }): Parts {
  return round(parts.of * ONE, { divisor: parts.by, places: parts.places })
}

function round(value: bigint, { divisor, places }: { divisor: bigint; places: number }): Parts {
  const step = 10n ** BigInt(PLACES - places)
  const whole = divisor * step
  return ((value + whole / 2n) / whole) * step
}

/** A share of `parts` in basis points, cut to so many places. */
export function shareOf(parts: Parts, { bps, places }: { bps: number; places: number }): Parts {
  const step = 10n ** BigInt(PLACES - places)
  return ((parts * BigInt(bps)) / 10_000n / step) * step
}

/** A price so many basis points worse for the one who takes, on the next tick. */
export function worse(price: Parts, { side, bps, places }: { side: 'buy' | 'sell'; bps: number; places: number }): Parts {
  const tick = 10n ** BigInt(PLACES - places)
  const scaled = price * BigInt(side === 'buy' ? 10_000 + bps : 10_000 - bps)
  const whole = 10_000n * tick
  return (side === 'buy' ? (scaled + whole - 1n) / whole : scaled / whole) * tick
}
