import { minimum, type Units } from '#core/money/amount.ts'
import type { Asset, CryptoAsset } from '#core/money/asset.ts'
import type { AccountRef, CustomerAccount, HouseAccount } from './account.ts'
import { movement, type Entry, type Movement } from './transfer.ts'

/** How money moves: every movement of the product, and no other, is on this page. Amounts are units, above 0. */

const house = (code: HouseAccount, asset: Asset = 'USD'): AccountRef => ({ code, asset })
const customer = (code: CustomerAccount, owner: string): AccountRef => ({ code, asset: 'USD', owner })

/** `amount` leaves `from` and reaches `to`. */
function move(kind: string, { from, to, amount }: { from: AccountRef; to: AccountRef; amount: Units }): Movement {
  return movement(kind, [
    { account: from, amount: -amount },
    { account: to, amount },
  ])
}

type OfUser = { userId: string; amount: Units }

/** A card payment succeeded. */
export const depositCredited = ({ userId, amount }: OfUser): Movement =>
  move('deposit', { from: house('card:clearing'), to: customer('customer:cash', userId), amount })

/** Why the card provider took money of a payment back. */
export type Reversal = 'refund' | 'dispute'

/** The card provider took `amount` back: from the user's cash as far as it goes, what is no longer there is owed. */
export const paymentReversed = ({ userId, amount, cash, reversal }: OfUser & { cash: Units; reversal: Reversal }): Movement => {
  const taken = minimum(cash, amount)
  return movement(reversal, [
    { account: customer('customer:cash', userId), amount: -taken },
    { account: customer('customer:receivable', userId), amount: taken - amount },
    { account: house('card:clearing'), amount },
  ])
}

/** A refund bounced or a dispute was won: the card provider gave the money back. */
export const reversalReturned = ({ userId, amount, reversal }: OfUser & { reversal: Reversal }): Movement =>
  move(`${reversal}-returned`, { from: house('card:clearing'), to: customer('customer:cash', userId), amount })

/** Cash pays what is owed. */
export const debtRepaid = ({ userId, amount }: OfUser): Movement =>
  move('debt-repaid', { from: customer('customer:cash', userId), to: customer('customer:receivable', userId), amount })

/** A withdrawal was requested: its money is held. */
export const withdrawalHeld = ({ userId, amount }: OfUser): Movement =>
  move('withdrawal-hold', { from: customer('customer:cash', userId), to: customer('customer:hold', userId), amount })

/** A withdrawal was canceled or rejected before it was sent: its money is free again. */
export const withdrawalReleased = ({ userId, amount }: OfUser): Movement =>
  move('withdrawal-release', { from: customer('customer:hold', userId), to: customer('customer:cash', userId), amount })

/** A payout was handed to the bank. */
export const payoutSubmitted = ({ userId, amount }: OfUser): Movement =>
  move('payout-submitted', { from: customer('customer:hold', userId), to: house('payout:clearing'), amount })

/** The bank paid it out. */
export const payoutPaid = ({ amount }: OfUser): Movement =>
  move('payout-paid', { from: house('payout:clearing'), to: house('bank'), amount })

/** The bank refused a submitted payout. */
export const payoutFailed = ({ userId, amount }: OfUser): Movement =>
  move('payout-failed', { from: house('payout:clearing'), to: customer('customer:cash', userId), amount })

/** A paid payout came back. */
export const payoutReturned = ({ userId, amount }: OfUser): Movement =>
  move('payout-returned', { from: house('bank'), to: customer('customer:cash', userId), amount })

/** A bot was created: the investment leaves the user's cash at once. */
export const botFunded = ({ userId, amount }: OfUser): Movement =>
  move('bot-funded', { from: customer('customer:cash', userId), to: house('bots'), amount })

/** A bot was closed: what it is worth returns. */
export const botReturned = ({ userId, amount }: OfUser): Movement =>
  move('bot-returned', { from: house('bots'), to: customer('customer:cash', userId), amount })

type Trade = { side: 'buy' | 'sell'; base: CryptoAsset; quantity: Units; total: Units }

/** Money and coins of a trade between two accounts that hold both: a buyer pays `total` and gets `quantity`. */
function exchange({ side, base, quantity, total }: Trade, { trader, counter }: { trader: HouseAccount; counter: HouseAccount }): Entry[] {
  const sign = side === 'buy' ? 1n : -1n
  return [
    { account: house(trader), amount: -sign * total },
    { account: house(counter), amount: sign * total },
    { account: house(trader, base), amount: sign * quantity },
    { account: house(counter, base), amount: -sign * quantity },
  ]
}

/**
 * A block was filled: money and coins stand in clearing until they are allocated. `total` includes the venue's fee. What is too little for
 * a venue's minimum when a bot is closed, the house takes over into `rounding`.
 */
export const blockFilled = ({ by, ...trade }: Trade & { by: 'venue' | 'house' }): Movement =>
  movement('block-filled', exchange(trade, { trader: 'trade:clearing', counter: by === 'house' ? 'rounding' : 'venue' }))

/** The operator sent money from the bank to the venue, or back where `amount` is below 0. */
export const venueFunded = ({ amount }: { amount: Units }): Movement =>
  movement('venue-funded', [
    { account: house('venue'), amount: -amount },
    { account: house('bank'), amount },
  ])

/** Bots took their shares of a block. */
export const blockAllocated = (trade: Trade): Movement =>
  movement('block-allocated', exchange(trade, { trader: 'bots', counter: 'trade:clearing' }))

/** What sharing left over, never negative: floored shares of coins, rounded-up shares of cost. */
export const blockRounded = ({ base, baseLeft, quoteLeft }: { base: CryptoAsset; baseLeft: Units; quoteLeft: Units }): Movement =>
  movement('block-rounded', [
    { account: house('trade:clearing', base), amount: -baseLeft },
    { account: house('rounding', base), amount: baseLeft },
    { account: house('trade:clearing'), amount: -quoteLeft },
    { account: house('rounding'), amount: quoteLeft },
  ])

/** Winners above their high-water mark paid the product's share of realised profit. */
export const platformFeesPaid = ({ amount }: { amount: Units }): Movement =>
  move('platform-fees', { from: house('bots'), to: house('fees:income'), amount })
