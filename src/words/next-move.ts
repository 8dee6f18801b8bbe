import { baseOf, type Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { NextStep } from '#core/strategy/next-change.ts'
import { moneyText } from './figures.ts'
import { msg, say, t } from './words.ts'

const MOVES = {
  above: {
    begin: msg('Buys {coin} above {price}.'),
    buy: msg('Buys more {coin} above {price}.'),
    sell: msg('Sells some {coin} above {price}.'),
  },
  below: {
    buy: msg('Buys more {coin} below {price}.'),
    sell: msg('Sells some {coin} below {price}.'),
    end: msg('Sells {coin} below {price}.'),
  },
} as const

/** `percent`: invested since the last decision. `price`: a decimal. */
export type Outlooked = {
  pair: Pair
  percent: number
  next: Pick<NextStep, 'percent' | 'above' | 'below'>
  price: string
}

/** `tenths`: of a percent away, below 0 for a change at the price now. */
export type MoveSentence = { tenths: number; text: () => string }

/**
 * The nearer of the two prices at which a bot changes something, with its action if the hour closes
 * beyond that price; undefined if none is near.
 */
export function nextMove({ pair, percent, next, price }: Outlooked): MoveSentence | undefined {
  const [now, coin] = [decimalToUnits(price), baseOf(pair)]
  const atNextLook = (wanted: number) => ({
    tenths: -1,
    text: () =>
      t('Next look: {percent}% of its {coin} money invested, if the price stays.', {
        percent: wanted,
        coin,
      }),
  })
  if (next.percent !== percent) return atNextLook(next.percent)
  const nearest = (['above', 'below'] as const)
    .flatMap((side) => {
      const move = next[side]
      return move ? [{ side, ...move, tenths: tenthsAway({ side, ...move }, now) }] : []
    })
    .toSorted((a, b) => a.tenths - b.tenths)[0]
  if (nearest === undefined) return undefined
  const { tenths } = nearest
  if (tenths < 0) return atNextLook(nearest.percent)
  const text = () =>
    say(messageOf(nearest.side, percent, nearest.percent), {
      coin,
      price: moneyText({
        amount: nearest.price,
        precision: nearest.price.includes('.') ? 'price' : 'whole',
      }),
    })
  return { tenths, text }
}

/** A balanced bot returns to the same share: it buys below and sells above. */
function messageOf(side: 'above' | 'below', before: number, after: number): string {
  if (side === 'below') {
    if (after === 0) return MOVES.below.end
    return after < before ? MOVES.below.sell : MOVES.below.buy
  }
  if (after <= before) return MOVES.above.sell
  return before === 0 ? MOVES.above.begin : MOVES.above.buy
}

type Move = { side: 'above' | 'below'; price: string }

/**
 * Distance to the price of the move, in tenths of a percent of the price now; below 0 once it is
 * passed.
 */
function tenthsAway({ side, price }: Move, now: bigint): number {
  const above = decimalToUnits(price) - now
  const distance = side === 'above' ? above : -above
  return distance < 0n ? -1 : Number((distance * 1_000n) / now)
}
