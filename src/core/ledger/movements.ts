import { minimum, type Units } from '#core/money/amount.ts'
import type { Asset, CryptoAsset } from '#core/money/asset.ts'
import type { AccountRef, CustomerAccount, SharedAccount } from './account.ts'
import type { HouseFee } from '../trading/exchange-fill.ts'
import { movement, type Entry, type Movement } from './transfer.ts'

/** All movements of money in the product are in this file. Amounts are units, above 0. */

const house = (code: SharedAccount | 'venue', asset: Asset = 'USD'): AccountRef => ({ code, asset })
const customer = (code: CustomerAccount | SharedAccount, owner: string): AccountRef => ({
  code,
  asset: 'USD',
  owner,
})

/** `amount` leaves `from` and reaches `to`. */
function move(
  kind: string,
  { from, to, amount }: { from: AccountRef; to: AccountRef; amount: Units },
): Movement {
  return movement(kind, [
    { account: from, amount: -amount },
    { account: to, amount },
  ])
}

type OfUser = { userId: string; amount: Units }

/** A card payment succeeded. */
export const depositCredited = ({ userId, amount }: OfUser): Movement =>
  move('deposit', {
    from: customer('card:clearing', userId),
    to: customer('customer:cash', userId),
    amount,
  })

/** Why the card provider took money of a payment back. */
export type Reversal = 'refund' | 'dispute'

/**
 * The card provider took `amount` back: as much as possible from the user's cash. The user owes the
 * rest.
 */
export const paymentReversed = ({
  userId,
  amount,
  cash,
  reversal,
}: OfUser & { cash: Units; reversal: Reversal }): Movement => {
  const taken = minimum(cash, amount)
  return movement(reversal, [
    { account: customer('customer:cash', userId), amount: -taken },
    { account: customer('customer:receivable', userId), amount: taken - amount },
    { account: customer('card:clearing', userId), amount },
  ])
}

/** A refund bounced or a dispute was won: the card provider gave the money back. */
export const reversalReturned = ({
  userId,
  amount,
  reversal,
}: OfUser & { reversal: Reversal }): Movement =>
  move(`${reversal}-returned`, {
    from: customer('card:clearing', userId),
    to: customer('customer:cash', userId),
    amount,
  })

/** Cash pays what is owed. */
export const debtRepaid = ({ userId, amount }: OfUser): Movement =>
  move('debt-repaid', {
    from: customer('customer:cash', userId),
    to: customer('customer:receivable', userId),
    amount,
  })

/** A withdrawal was requested: its money is held. */
export const withdrawalHeld = ({ userId, amount }: OfUser): Movement =>
  move('withdrawal-hold', {
    from: customer('customer:cash', userId),
    to: customer('customer:hold', userId),
    amount,
  })

/** A withdrawal was canceled or rejected before it was sent: its money is free again. */
export const withdrawalReleased = ({ userId, amount }: OfUser): Movement =>
  move('withdrawal-release', {
    from: customer('customer:hold', userId),
    to: customer('customer:cash', userId),
    amount,
  })

/** A payout was handed to the bank. */
export const payoutSubmitted = ({ userId, amount }: OfUser): Movement =>
  move('payout-submitted', {
    from: customer('customer:hold', userId),
    to: customer('payout:clearing', userId),
    amount,
  })

/** The bank paid a submitted payout. */
export const payoutPaid = ({ userId, amount }: OfUser): Movement =>
  move('payout-paid', {
    from: customer('payout:clearing', userId),
    to: customer('bank', userId),
    amount,
  })

/** The bank refused a submitted payout. */
export const payoutFailed = ({ userId, amount }: OfUser): Movement =>
  move('payout-failed', {
    from: customer('payout:clearing', userId),
    to: customer('customer:cash', userId),
    amount,
  })

/** A paid payout came back. */
export const payoutReturned = ({ userId, amount }: OfUser): Movement =>
  move('payout-returned', {
    from: customer('bank', userId),
    to: customer('customer:cash', userId),
    amount,
  })

/** Money was put into a bot, at its creation or later: it leaves the user's cash at once. */
export const botFunded = ({ userId, amount }: OfUser): Movement =>
  move('bot-funded', {
    from: customer('customer:cash', userId),
    to: customer('bots', userId),
    amount,
  })

/**
 * Money left a bot, because it was closed or because part of it was taken out: the platform's fee
 * is kept, the rest is the user's cash. `dust`: the part of `amount` that pools had rounded away,
 * and that the house pays.
 */
export const botReturned = ({
  userId,
  amount,
  dust = 0n,
  fee,
}: OfUser & { dust?: Units; fee: Units }): Movement =>
  movement('bot-returned', [
    { account: customer('bots', userId), amount: dust - amount },
    { account: customer('rounding', userId), amount: -dust },
    { account: customer('fees:income', userId), amount: fee },
    { account: customer('customer:cash', userId), amount: amount - fee },
  ])

/** The operator sent money from the bank to the venue, or back where `amount` is below 0. */
export const venueFunded = ({ amount }: { amount: Units }): Movement =>
  movement('venue-funded', [
    { account: house('venue'), amount: -amount },
    { account: house('bank'), amount },
  ])

const INTEREST: AccountRef = { code: 'interest', asset: 'USD' }

/** The house paid interest on the idle cash of pools. */
export const interestPaid = (pools: readonly { pool: number; amount: Units }[]): Movement =>
  movement('interest-paid', [
    { account: INTEREST, amount: -pools.reduce((sum, { amount }) => sum + amount, 0n) },
    ...pools.map(({ pool, amount }): Entry => ({
      account: { code: 'pool', asset: 'USD', pool },
      amount,
    })),
  ])

/** The operator's bank account received money for the interest that the house paid. */
export const interestFunded = ({ amount }: { amount: Units }): Movement =>
  move('interest-funded', { from: house('bank'), to: INTEREST, amount })

/** Change of a holding, signed: money, and coins of one asset. */
export type HoldingChange = { cash: Units; coins: Units }

type Holders = {
  base: CryptoAsset
  pools: readonly (HoldingChange & { pool: number })[]
  /** Gain of bots outside of pools. */
  own: HoldingChange
}

/**
 * A block was filled and divided among its parties. `paid`: money and coins given to the venue;
 * below 0: received from it. Shares are rounded against the parties, and `rounding` receives the
 * remainder. `by`: the buyer in place of the venue. 'house': a closing bot's coins are too few for
 * the venue, and `rounding` pays for them. 'operator': the pair is dead; the operator's bank
 * account pays, and the operator may take the coins out of the venue. `houseFees`: fees in assets
 * that the block does not trade; the operator owes them.
 */
export const blockSettled = ({
  paid,
  by,
  houseFees = [],
  ...holders
}: Holders & {
  paid: HoldingChange
  by: 'venue' | 'house' | 'operator'
  houseFees?: readonly HouseFee[] | undefined
}): Movement =>
  shared(
    by === 'operator' ? 'pair-settled' : 'block-settled',
    holders,
    by === 'house'
      ? []
      : [
          { account: house(PAYERS[by]), amount: paid.cash },
          { account: house(PAYERS[by], holders.base), amount: paid.coins },
          ...houseFees.flatMap(({ asset, amount }): Entry[] => [
            { account: house('venue', asset), amount },
            { account: house('bank', asset), amount: -amount },
          ]),
        ],
  )

const PAYERS = { venue: 'venue', operator: 'bank' } as const

/** Bots joined a pool or left it without an order. */
export const poolMoved = (kind: 'pool-joined' | 'pool-left', holders: Holders): Movement =>
  shared(kind, holders, [])

/** Entries for the gains of pools and bots, then `others`, and the remainder for `rounding`. */
function shared(kind: string, { base, pools, own }: Holders, others: readonly Entry[]): Movement {
  const entries: Entry[] = [
    ...pools.flatMap(({ pool, cash, coins }): Entry[] => [
      { account: { code: 'pool', asset: 'USD', pool }, amount: cash },
      { account: { code: 'pool', asset: base, pool }, amount: coins },
    ]),
    { account: house('bots'), amount: own.cash },
    { account: house('bots', base), amount: own.coins },
    ...others,
  ]
  const left = (asset: Asset): Units =>
    -entries.reduce(
      (sum, { account, amount }) => (account.asset === asset ? sum + amount : sum),
      0n,
    )
  return movement(kind, [
    ...entries,
    { account: house('rounding'), amount: left('USD') },
    { account: house('rounding', base), amount: left(base) },
  ])
}
