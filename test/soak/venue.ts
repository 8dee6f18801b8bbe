import { mix } from '#core/market/seeded.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import type { BlockOrder, Venue, VenueFill } from '#server/ports/venue.ts'
import { randomFrom } from '../world/random.ts'

/** The venue is down, or its response was lost. */
export class VenueAway extends Error {}

export type Answer = Awaited<ReturnType<Venue['accepts']>>
export type Asked = Pick<BlockOrder, 'pair' | 'side' | 'quantity' | 'price'>

/**
 * A venue that treats orders in all ways in which a real one may. Its responses are determined by
 * the seed.
 */
export type SoakVenue = Venue & {
  /** The fill of the order with this id; undefined if the venue never received it. */
  filled: (id: string) => VenueFill | undefined
  /** The answer of `accepts`, always the same for the same order. */
  judge: (order: Asked) => Answer
  /** Pairs with an order that it did not accept since this set was last cleared. */
  refused: Set<string>
  /** Runs `act` once, while the next order is at the venue. */
  interrupt: (act: (() => Promise<void>) | undefined) => void
  figures: Record<string, number>
}

/** Minimum order value, in units of money. */
const LEAST_ORDER: Units = 2n * ONE

/** For one in this many prices, the market is closed. */
const CLOSED_ONE_IN = 40

export function soakVenue({ seed, costs }: { seed: number; costs: TradingCosts }): SoakVenue {
  const fills = new Map<string, VenueFill>()
  const random = randomFrom(seed ^ 0x7e4)
  const figures: Record<string, number> = {}
  const count = (word: string) => (figures[word] = (figures[word] ?? 0) + 1)
  const refused = new Set<string>()
  let act: (() => Promise<void>) | undefined
  const judge = ({ pair, quantity, price }: Asked): Answer => {
    const drawn = mix({
      seed,
      stream: pair.charCodeAt(0) * 256 + pair.charCodeAt(1),
      step: Number(price % 2_147_483_647n),
    })
    if (drawn % CLOSED_ONE_IN === 0) return 'closed'
    return quantity * price < LEAST_ORDER * ONE ? 'too-small' : 'yes'
  }
  return {
    name: 'soak',
    figures,
    refused,
    judge,
    filled: (id) => fills.get(id),
    interrupt: (next) => (act = next),
    accepts: async (order) => {
      const answer = judge(order)
      count(`answered ${answer}`)
      if (answer !== 'yes') refused.add(order.pair)
      return answer
    },
    execute: async (order, { isResumed = false }) => {
      const known = fills.get(order.clientOrderId)
      if (known) return known
      if (isResumed) return nothing(order, fills)
      const stumbles = random.below(60)
      if (stumbles === 0) throw new VenueAway('the venue is down')
      const fill = fillOf(order, { costs, random, count })
      fills.set(order.clientOrderId, fill)
      const during = act
      act = undefined
      await during?.()
      if (stumbles === 1) throw new VenueAway('the response of the venue was lost')
      return fill
    },
  }
}

/** The empty fill of an order that was not sent before a crash, and so never is. */
function nothing(
  { clientOrderId, side, price }: BlockOrder,
  fills: Map<string, VenueFill>,
): VenueFill {
  const fill = { side, quantity: 0n, price, notional: 0n, fee: 0n, isFullyFilled: false }
  fills.set(clientOrderId, fill)
  return fill
}

type Filling = {
  costs: TradingCosts
  random: ReturnType<typeof randomFrom>
  count: (word: string) => void
}

/**
 * Fills mostly all of an order at the worst expected price; otherwise at a better price, in part,
 * all but less than a lot, or nothing.
 */
function fillOf(
  { side, quantity, price }: BlockOrder,
  { costs, random, count }: Filling,
): VenueFill {
  const kind = random.below(20)
  const better = kind === 0 || kind === 1 ? BigInt(random.below(60)) : 0n
  const feeBps = kind === 1 ? random.below(costs.feeBps + 1) : costs.feeBps
  const kinder = (price * (side === 'buy' ? 1_000n - better : 1_000n + better)) / 1_000n
  const step = 1n + BigInt(random.below(5_000))
  const part =
    kind === 2 || kind === 3
      ? (quantity * BigInt(random.below(1_000))) / 1_000n
      : kind === 4
        ? 0n
        : kind === 5
          ? quantity - (quantity % step)
          : quantity
  const isFullyFilled = kind === 5 ? part > 0n : part === quantity
  count(
    better > 0n
      ? 'filled better'
      : part === 0n
        ? 'filled nothing'
        : part === quantity
          ? 'filled'
          : isFullyFilled
            ? 'filled to the lot size'
            : 'filled in part',
  )
  return {
    ...paperFill({ side, quantity: part, price: kinder, costs: { ...costs, feeBps } }),
    isFullyFilled,
  }
}
