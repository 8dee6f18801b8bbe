import { groupBy } from '#core/group-by.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { maximum, unitsOfDollars, type Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import {
  findUnproven,
  findUnsubmitted,
  isCovered,
  payoutFacts,
  tracePayout,
} from '#core/withdrawals/payout-proof.ts'
import type { Context } from '#server/context.ts'
import type { Book } from '#server/db/book.ts'
import { holdHours } from '#server/deposits/held-deposits.ts'
import {
  checkSeals,
  noteBroken,
  noteLockedAccount,
  sealNow,
  sentenceOf,
} from '#server/ledger/guard-seals.ts'
import { readBookTotals, readPayoutEvidence, readTransfersOf } from '#server/ledger/sealed-rows.ts'
import { readAccount } from '#server/security/account-seal.ts'
import { refuseHaltedPayouts } from './halt-payouts.ts'
import type { WithdrawalKey } from './store.ts'

type UnprovenPayout = WithdrawalKey & { amount: Units }

/** Amounts that the card provider confirms today, less refunds and disputes, by deposit. */
export type Confirmations = ReadonlyMap<string, Units>

/** Confirmations by withdrawal; a refusal if the card provider was unavailable. */
export type Confirmed = ReadonlyMap<string, Confirmations | Refusal>

const AT_ONCE = 4

/**
 * Refuses as 'payout-unproven' if payouts are halted, a seal is broken or the book does not cover
 * them. Then confirms the deposits behind each with the card provider. `rows`: the seals that are
 * checked.
 */
export async function confirmPayouts(
  context: Context,
  waiting: readonly UnprovenPayout[],
  rows: 'all' | 'quick',
): Promise<Confirmed> {
  if (waiting.length > 0) await refuseHaltedPayouts(context)
  if (waiting.length === 0 || !needsProof(context))
    return new Map(waiting.map(({ id }) => [id, new Map()]))
  await sealNow(context)
  const [broken] = await checkSeals(context, rows)
  if (broken) throw new Refusal('payout-unproven', { sentence: sentenceOf(broken) })
  const totals = await readBookTotals(context.sql)
  if (!isCovered(totals, sumOf(waiting)))
    throw new Refusal('payout-unproven', { sentence: UNCOVERED })
  const confirmed = new Map<string, Confirmations | Refusal>()
  const users = [...groupBy(waiting, ({ userId }) => userId)]
  for (let first = 0; first < users.length; first += AT_ONCE) {
    await Promise.all(
      users.slice(first, first + AT_ONCE).map(async ([userId, own]) => {
        const known = await confirmDeposits(context, userId, sumOf(own)).catch(onlyRefusal)
        for (const { id } of own) confirmed.set(id, known)
      }),
    )
  }
  return confirmed
}

const UNCOVERED =
  'These payouts are not proven: more would leave the book than came in. Run npm run ops -- ' +
  'reconcile.'

const sumOf = (waiting: readonly UnprovenPayout[]): Units =>
  waiting.reduce((sum, { amount }) => sum + amount, 0n)

export function onlyRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** The sandbox pays nobody, so its payouts need no proof. */
const needsProof = ({ payouts }: Pick<Context, 'payouts'>): boolean =>
  payouts.provider !== 'sandbox'

/**
 * Confirms the deposits behind all payouts of the user together, because each payout continues in
 * the deposits where the last one ended. Refuses as 'payment-provider-away'.
 */
async function confirmDeposits(
  context: Context,
  userId: string,
  amount: Units,
): Promise<Confirmations> {
  const transfers = await readTransfersOf(context, userId)
  const { shares } = tracePayout(payoutFacts(transfers), { amount, heldSince: heldSince(context) })
  const confirmed = new Map<string, Units>()
  for (const { id } of shares) {
    const found = await context.payments.retrieveIntent(id)
    const isTheirs = found?.status === 'succeeded' && found.userId === userId
    confirmed.set(id, isTheirs ? maximum(0n, found.received - found.refunded - found.disputed) : 0n)
  }
  return confirmed
}

/** `before`: payouts to the same user earlier in the same batch. */
type Proof = { payout: UnprovenPayout; confirmed: Confirmations; before?: Units }

/**
 * Refuses as 'payout-unproven'. Runs in the transaction that submits, with the user's accounts
 * locked, once no hold makes withdrawals wait.
 */
export async function refuseUnproven(
  context: Context,
  tx: Book,
  { payout, confirmed, before = 0n }: Proof,
): Promise<void> {
  if (!needsProof(context)) return
  const { amount, userId } = payout
  const evidence = await readPayoutEvidence(tx, payout)
  const locked = await readAccount(tx, userId).then(() => undefined, onlyRefusal)
  const fault = findUnproven(evidence, {
    payout,
    needed: amount > unitsOfDollars(context.config.PAYOUT_SECOND_PERSON_ABOVE) ? 2 : 1,
    isAccountWhole: locked === undefined,
    before,
    heldSince: heldSince(context),
    holdMs: holdMs(context),
    confirmed,
  })
  if (!fault) return
  const refusal = unproven(fault.reason)
  await noteLockedAccount(context, locked)
  if (fault.isTampered) {
    context.log.error({ user: userId }, refusal.message)
    await noteBroken(context.sql, refusal.message)
  }
  throw refusal
}

/**
 * Refuses as 'payout-unproven'. Threat: a payout would be made for a row that somebody else marked
 * as submitted, or twice for a row of two batches.
 */
export async function refuseUnsubmitted(
  context: Context,
  payout: UnprovenPayout & { batch?: number; account?: string | undefined },
): Promise<void> {
  if (!needsProof(context)) return
  const evidence = await readPayoutEvidence(context, payout)
  const reason = findUnsubmitted(evidence, payout)
  if (reason !== undefined) throw unproven(reason)
}

const unproven = (reason: string): Refusal =>
  new Refusal('payout-unproven', { sentence: `This payout is not proven: ${reason}.` })

const holdMs = (context: Context): number => holdHours(context.config) * HOUR_MS
/**
 * Time after which deposits are on hold. Without a hold no deposit is too young, whatever the
 * clocks say.
 */
const heldSince = (context: Context): Date =>
  holdMs(context) === 0 ? END_OF_TIME : new Date(context.now().getTime() - holdMs(context))
const END_OF_TIME = new Date(8_640_000_000_000_000)
