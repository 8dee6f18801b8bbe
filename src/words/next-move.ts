import { decimalToUnits } from '#core/money/decimal.ts'
import type { NextStep } from '#core/strategy/next-change.ts'
import { groupDigits, moneyText, withPercent } from './figures.ts'
import { msg, say, t } from './words.ts'

const MOVES = {
  above: { buy: msg('Buys above {price}.'), sell: msg('Sells some above {price}.') },
  below: { buy: msg('Buys below {price}.'), sell: msg('Sells some below {price}.') },
} as const

const SELLS_ALL = msg('Sells all below {price}.')
const NO_MOVE = msg('No trade at nearby prices.')

/** `percent`: invested since the last decision. `price`: a decimal. */
export type PairOutlook = {
  percent: number
  next: Pick<NextStep, 'percent' | 'above' | 'below'>
  price: string
}

/**
 * `tenths`: distance to the price in tenths of a percent, below 0 if the price is passed already.
 */
export type MoveSentence = { tenths: number; text: () => string }

const ONE_PLACE = { minimum: 1, maximum: 1 }

/** The next move of one coin with its distance: 'Buys above $726.43. 2.3% away.' */
export function nextMoveText(outlooked: PairOutlook): string {
  const move = nextMove(outlooked)
  if (move === undefined) return say(NO_MOVE)
  const { text, tenths } = move
  if (tenths < 0) return text()
  const distance = withPercent(groupDigits(`${Math.floor(tenths / 10)}.${tenths % 10}`, ONE_PLACE))
  return `${text()} ${t('{distance} away.', { distance })}`
}

/** '2 of 4 trends up.'; empty without trends. */
export function trendsText(trends: NextStep['trends']): string {
  if (trends.length === 0) return ''
  const up = trends.filter(({ isUp }) => isUp).length
  return t('{up} of {all} trends up.', { up: String(up), all: String(trends.length) })
}

/** '2 of 4 trends up. Buys above $726.43.'; the move alone without trends. */
export function trendsAndMove(trends: NextStep['trends'], move: MoveSentence | undefined): string {
  return `${trendsText(trends)} ${move?.text() ?? say(NO_MOVE)}`.trim()
}

/**
 * The nearer of the two prices at which a bot changes something, with its action if the hour closes
 * beyond the price; undefined if neither is near.
 */
export function nextMove({ percent, next, price }: PairOutlook): MoveSentence | undefined {
  const now = decimalToUnits(price)
  const atNextLook = (wanted: number) => ({
    tenths: -1,
    text: () =>
      t('At the next check: {percent}% invested, if the price stays.', { percent: wanted }),
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
    say(messageOf(nearest.side, { before: percent, after: nearest.percent }), {
      price: nextPriceText(nearest.price),
    })
  return { tenths, text }
}

/**
 * Keeps all digits of the price, because a close beyond the shown price must also be beyond the
 * real one.
 */
export const nextPriceText = (amount: string): string =>
  moneyText({ amount, precision: amount.includes('.') ? 'price' : 'whole' })

type Shares = { before: number; after: number }

/**
 * The side of a move. A balanced bot returns to the same share, so it buys below and sells above.
 */
export function sideOfMove(side: 'above' | 'below', { before, after }: Shares): 'buy' | 'sell' {
  if (after === before) return side === 'below' ? 'buy' : 'sell'
  return after > before ? 'buy' : 'sell'
}

function messageOf(side: 'above' | 'below', { before, after }: Shares): string {
  if (side === 'below' && after === 0) return SELLS_ALL
  return MOVES[side][sideOfMove(side, { before, after })]
}

type Move = { side: 'above' | 'below'; price: string }

/**
 * Distance to the price of the move, in tenths of a percent of the price now; below 0 once the
 * price is passed.
 */
function tenthsAway({ side, price }: Move, now: bigint): number {
  const above = decimalToUnits(price) - now
  const distance = side === 'above' ? above : -above
  return distance < 0n ? -1 : Number((distance * 1_000n) / now)
}
