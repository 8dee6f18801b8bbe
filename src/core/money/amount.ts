/**
 * An amount of any asset as a whole number of units, 10⁻⁸ of the asset: 1 USD and 1 BTC are both
 * 100 000 000 units. Range of what the database holds: −9.22·10¹⁸ to 9.22·10¹⁸ units (92 billion of
 * the asset). Prices are units too: units of quote per whole base asset.
 */
export type Units = bigint

/** Decimal places of every amount in the product. */
export const SCALE = 8

/** Units of one whole asset. */
export const ONE: Units = 100_000_000n

/** Whole dollars, such as a setting's, in units. */
export function unitsOfDollars(dollars: number): Units {
  return BigInt(dollars) * ONE
}

export function minimum(a: Units, b: Units): Units {
  return a < b ? a : b
}

export function maximum(a: Units, b: Units): Units {
  return a > b ? a : b
}
