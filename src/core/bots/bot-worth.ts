import type { Units } from '#core/money/amount.ts'
import { ceilToCents, floorToCents, withoutDust } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'
import { valueFloor } from '#core/money/rounding.ts'
import { claimOf, worthOf, type Pool } from '#core/pool/pool.ts'
import { closingFee } from '#core/trading/performance-fee.ts'

/** `base`: coins outside of the pool. */
export type SleeveHoldings = { pool: number; base: Units; units: bigint }

/** `cash`: outside of pools; includes money on its way into or out of the bot. */
export type BotHoldings = { cash: Units; sleeves: readonly SleeveHoldings[] }

/** `price`: the pair's last price; 0 before the first. */
export type PricedPool = Pool & { price: Units }

type Pools = ReadonlyMap<number, PricedPool>

/**
 * Worth before the closing fee, with dust. Server and browser share this function, so both show the
 * same cent.
 */
export function worthOfBot({ cash, sleeves }: BotHoldings, pools: Pools): Units {
  return withoutDust(eachIn(sleeves, pools).reduce((sum, one) => sum + coinsAndUnits(one), cash))
}

export function coinsOfBot({ sleeves }: BotHoldings, pools: Pools): Units {
  return eachIn(sleeves, pools).reduce(
    (sum, { sleeve: { base, units }, pool }) =>
      sum +
      valueFloor({ quantity: base, price: pool.price }) +
      worthOf({ ...pool, cash: 0n }, { units, price: pool.price }),
    0n,
  )
}

export function holdsCoins({ sleeves }: BotHoldings, pools: Pools): boolean {
  return eachIn(sleeves, pools).some(
    ({ sleeve, pool }) => sleeve.base > 0n || (sleeve.units > 0n && pool.base > 0n),
  )
}

type InPool = { sleeve: SleeveHoldings; pool: PricedPool }

function eachIn(sleeves: readonly SleeveHoldings[], pools: Pools): InPool[] {
  return sleeves.flatMap((sleeve) => {
    const pool = pools.get(sleeve.pool)
    return pool ? [{ sleeve, pool }] : []
  })
}

function coinsAndUnits({ sleeve: { base, units }, pool }: InPool): Units {
  return (
    valueFloor({ quantity: base, price: pool.price }) + worthOf(pool, { units, price: pool.price })
  )
}

export type BotFigures = Record<
  'equity' | 'closingFee' | 'coins' | 'investmentAmount' | 'totalProfit' | 'totalReturn',
  string
>

/**
 * Floors the worth to cents and rounds the investment up; the profit shown is their difference. The
 * percentage is computed from the exact figures.
 */
export function figuresOfBot({
  worth,
  coins,
  invested,
  feeBps,
}: {
  worth: Units
  coins: Units
  invested: Units
  feeBps: number
}): BotFigures {
  const { fee } = closingFee({ invested, out: worth, feeBps })
  const equity = worth - fee
  const paid = ceilToCents(invested)
  const profit = floorToCents(equity) - paid
  return {
    equity: unitsToDecimal(equity, 2),
    closingFee: unitsToDecimal(fee, 2),
    coins: unitsToDecimal(coins, 2),
    investmentAmount: unitsToDecimal(paid, 2),
    totalProfit: unitsToDecimal(profit, 2),
    totalReturn: percentOf({ part: equity - invested, whole: invested }),
  }
}

type SleeveFigures = Record<'cash' | 'quantity' | 'value', string>

/** `value`: the worth without `cash`. */
export function figuresOfHolding({ cash, sleeves }: BotHoldings, pools: Pools): SleeveFigures {
  const parts = eachIn(sleeves, pools).map((one) => ({
    ...one,
    claim: claimOf(one.pool, one.sleeve.units),
  }))
  const sum = (of: (part: (typeof parts)[number]) => Units) =>
    parts.reduce((total, part) => total + of(part), 0n)
  return {
    cash: unitsToDecimal(withoutDust(cash + sum(({ claim }) => claim.cash)), 2),
    quantity: unitsToDecimal(
      sum(({ sleeve, claim }) => sleeve.base + claim.base),
      8,
    ),
    value: unitsToDecimal(
      sum((part) => coinsAndUnits(part) - part.claim.cash),
      2,
    ),
  }
}
