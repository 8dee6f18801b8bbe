import { decimalToUnits } from '#core/money/decimal.ts'
import type { NextStep } from '#core/strategy/next-change.ts'
import { groupDigits, moneyText, withPercent } from './figures.ts'
import { msg, say, t } from './words.ts'

/** Each move, beside its coin and away from it. */
const MOVES = {
  above: {
    buy: [msg('Buys above {price}.'), msg('Buys {coin} above {price}.')],
    sell: [msg('Sells some above {price}.'), msg('Sells some {coin} above {price}.')],
  },
  below: {
    buy: [msg('Buys below {price}.'), msg('Buys {coin} below {price}.')],
    sell: [msg('Sells some below {price}.'), msg('Sells some {coin} below {price}.')],
  },
} as const

const SELLS_ALL = msg('Sells all below {price}.')
const NO_MOVE = msg('No trade at nearby prices.')

/** `percent`: invested since the last decision. `price`: a decimal. `coin`: to be named. */
export type PairOutlook = {
  coin?: string
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
export const trendsText = (trends: NextStep['trends']): string =>
  trends.length === 0 ? '' : t('{up} of {all} trends up.', countsOf(trends))

/** '2 of 4 price trends are up.' */
export const trendsAreUp = (trends: NextStep['trends']): string =>
  t('{up} of {all} price trends are up.', countsOf(trends))

export const countsOf = (trends: NextStep['trends']) => ({
  up: String(trends.filter(({ isUp }) => isUp).length),
  all: String(trends.length),
})

/** '2 of 4 trends up. Buys above $726.43.'; the move alone without trends. */
export function trendsAndMove(trends: NextStep['trends'], move: MoveSentence | undefined): string {
  return `${trendsText(trends)} ${move?.text() ?? say(NO_MOVE)}`.trim()
}

/**
 * The nearer of the two prices at which a bot changes something, with its action if the hour closes
 * beyond the price; undefined if neither is near.
 */
export function nextMove({ coin, percent, next, price }: PairOutlook): MoveSentence | undefined {
  const now = decimalToUnits(price)
  const atNextLook = (wanted: number) => ({ tenths: -1, text: () => atNextLookText(wanted, coin) })
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
    say(
      messageOf({
        ...nearest,
        after: nearest.percent,
        before: percent,
        isNamed: coin !== undefined,
      }),
      {
        coin: coin ?? '',
        price: nextPriceText(nearest.price),
      },
    )
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

type Chosen = Shares & { side: 'above' | 'below'; isNamed: boolean }

function messageOf({ side, isNamed, ...shares }: Chosen): string {
  if (side === 'below' && shares.after === 0) return SELLS_ALL
  const [alone, named] = MOVES[side][sideOfMove(side, shares)]
  return isNamed ? named : alone
}

function atNextLookText(percent: number, coin: string | undefined): string {
  const move = t('At the next check: {percent}% invested, if the price stays.', { percent })
  return coin === undefined ? move : t('{coin}: {move}', { coin, move })
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
