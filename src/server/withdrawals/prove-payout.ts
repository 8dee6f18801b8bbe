import { HOUR_MS } from '#core/market/candle.ts'
import { maximum, ONE, type Units } from '#core/money/amount.ts'
import { moneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import {
  findPayoutFault,
  payoutFacts,
  tracePayout,
  type PayoutFacts,
  type PayoutFault,
} from '#core/withdrawals/payout-proof.ts'
import { readAccount } from '#server/security/account-seal.ts'
import type { Context } from '#server/context.ts'
import type { Book } from '#server/db/book.ts'
import { part } from '#server/db/statement.ts'
import { holdHours } from '#server/deposits/held-deposits.ts'
import { timeOfId } from '#server/kernel/ids.ts'
import { noteLockedAccount, noteBroken } from '#server/ledger/guard-seals.ts'
import {
  type StoredTransfer,
  readSealedEventsOf,
  readSealedTransfersOf,
  readSealedEvents,
} from '#server/ledger/sealed-rows.ts'
import type { StoredWithdrawal } from './store.ts'

/** By deposit: what the card provider confirms today, less what it has taken back. */
export type Confirmations = ReadonlyMap<string, Units>

type Asked = Pick<StoredWithdrawal, 'id' | 'userId' | 'amount'>

/** The sandbox pays nobody, so its payouts need no proof. */
export const needsProof = ({ payouts }: Pick<Context, 'payouts'>): boolean =>
  payouts.provider !== 'sandbox'

/**
 * Asks the card provider about each deposit that funds the withdrawal. Refuses as
 * 'payment-provider-away' if it does not answer.
 */
export async function confirmDeposits(
  context: Context,
  { userId, amount }: Pick<Asked, 'userId' | 'amount'>,
): Promise<Confirmations> {
  if (!needsProof(context)) return new Map()
  const facts = factsOf(await readSealedTransfersOf(context, userId))
  const { shares } = tracePayout(facts, { amount, heldSince: heldSince(context) })
  const confirmed = new Map<string, Units>()
  for (const { id } of shares) {
    const found = await context.payments.retrieveIntent(id)
    const isTheirs = found?.status === 'succeeded' && found.userId === userId
    confirmed.set(id, isTheirs ? maximum(0n, found.received - found.refunded - found.disputed) : 0n)
  }
  return confirmed
}

/** `before`: what leaves for the same user just before, in the same batch. */
type Proof = { asked: Asked; confirmed: Confirmations; before?: Units }

/**
 * Refuses as 'payout-unproven' unless the money of an approved withdrawal is proven: its request,
 * its approvals and its hold are sealed, no hold of its owner that sealed changes of the account
 * began is missing, and the deposits that fund it are confirmed. Runs in the transaction that
 * submits it, with the user's accounts locked.
 */
export async function refuseUnproven(
  context: Context,
  tx: Book,
  { asked, confirmed, before = 0n }: Proof,
): Promise<void> {
  if (!needsProof(context)) return
  const { id, userId, amount } = asked
  const transfers = await readSealedTransfersOf(tx, userId)
  if (!isPosted(transfers, { dedupKey: `withdrawal:${id}:hold`, code: 'customer:hold', amount }))
    throw unproven('the ledger holds no money for it')
  await refuseUnapproved(context, tx, asked)
  await refuseChangedAccount(context, tx, userId)
  await refuseWithoutHolds(context, tx, userId)
  const facts = factsOf(transfers)
  const fault = findPayoutFault({
    facts: { ...facts, left: facts.left + before },
    amount,
    heldSince: heldSince(context),
    holdMs: holdMs(context),
    confirmed,
  })
  if (fault) throw unproven(sentenceOf(fault))
}

/**
 * Refuses as 'payout-unproven' unless this product submitted the withdrawal. Threat: a row that
 * somebody else marked as submitted would be handed to the bank. Threat: one that was submitted in
 * a batch would be paid again in another.
 */
export async function refuseUnsubmitted(
  context: Context,
  book: Book,
  { id, userId, amount, batch }: Asked & { batch?: number },
): Promise<void> {
  if (!needsProof(context)) return
  const transfers = await readSealedTransfersOf(book, userId)
  if (
    !isPosted(transfers, { dedupKey: `withdrawal:${id}:submit`, code: 'payout:clearing', amount })
  )
    throw unproven('the ledger did not submit it')
  if (batch === undefined) return
  const events = await readSealedEventsOf(book, id)
  if (
    !events.some(
      ({ action, details }) =>
        action === 'withdrawal.submit' && details['note'] === noteOfBatch(batch),
    )
  )
    throw unproven(`it is not part of batch ${batch}`)
}

/** The note of each step that a batch takes a withdrawal. */
export const noteOfBatch = (number: number): string => `batch ${number}`

/**
 * Threat: a password, an address or a factor that was written into the tables has opened the
 * account.
 */
async function refuseChangedAccount(context: Context, tx: Book, userId: string): Promise<void> {
  try {
    await readAccount(tx, userId)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await noteLockedAccount(context, error)
    throw unproven('what opens its account or protects its money is not as it was sealed')
  }
}

const unproven = (reason: string): Refusal =>
  new Refusal('payout-unproven', { sentence: `This payout is not proven: ${reason}.` })

function factsOf(transfers: readonly StoredTransfer[]): PayoutFacts {
  return payoutFacts(
    transfers.map(({ id, kind, dedupKey, lines }) => ({
      kind,
      dedupKey,
      postedAt: timeOfId(id),
      lines: lines.map(({ code, amount }) => ({ code, amount: BigInt(amount) })),
    })),
  )
}

function isPosted(
  transfers: readonly StoredTransfer[],
  wanted: { dedupKey: string; code: string; amount: Units },
): boolean {
  const found = transfers.find(({ dedupKey }) => dedupKey === wanted.dedupKey)
  return (
    found?.lines.some(
      ({ code, amount }) => code === wanted.code && BigInt(amount) === wanted.amount,
    ) ?? false
  )
}

/**
 * Threat: a state or an approval that was written into the tables. The audit events of both are
 * sealed.
 */
async function refuseUnapproved(
  { config }: Context,
  tx: Book,
  { id, userId, amount }: Asked,
): Promise<void> {
  const events = await readSealedEventsOf(tx, id)
  if (
    !events.some(
      ({ action, actor }) => action === 'withdrawal.request' && actor === `user:${userId}`,
    )
  )
    throw unproven('its owner did not request it')
  const approvals = events.filter(
    ({ action }) => action === 'withdrawal.approve' || action === 'withdrawal.first-approval',
  )
  if (!approvals.some(({ action }) => action === 'withdrawal.approve'))
    throw unproven('nobody approved it')
  const needed = amount > BigInt(config.PAYOUT_SECOND_PERSON_ABOVE) * ONE ? 2 : 1
  if (new Set(approvals.map(({ actor }) => actor)).size < needed)
    throw unproven('two operators must approve it')
}

const holdMs = (context: Context): number => holdHours(context.config) * HOUR_MS
/** Without a hold, no deposit is too young, whatever the clocks say. */
const heldSince = (context: Context): Date =>
  holdMs(context) === 0 ? END_OF_TIME : new Date(context.now().getTime() - holdMs(context))
const END_OF_TIME = new Date(8_640_000_000_000_000)

function sentenceOf(fault: PayoutFault): string {
  if (fault.reason === 'on-hold')
    return `the deposit that funds it is on hold until ${fault.until.toISOString()}`
  if (fault.reason === 'without-origin')
    return `${moneyText({ amount: fault.amount })} of it come from no deposit and no gain`
  return (
    `the card provider confirms ${moneyText({ amount: fault.confirmed })} of the deposit ` +
    `${fault.id}, and ${moneyText({ amount: fault.needed })} of it are needed`
  )
}

/**
 * Refuses as 'payout-unproven' if the row of a hold or lock is gone, or lifted, although the sealed
 * events of the account say that it lasts. Called once no row makes withdrawals wait. Threat:
 * somebody with the password of the app's role for the database changes an account, and then the
 * rows that would make its payouts wait. Operators see it as a broken seal.
 */
async function refuseWithoutHolds({ sql, log }: Context, tx: Book, userId: string): Promise<void> {
  const missing = (await isLockMissing(tx, userId))
    ? 'a lock'
    : (await isHoldMissing(tx, userId))
      ? 'a hold'
      : undefined
  if (missing === undefined) return
  const sentence =
    `This payout is not proven: the account was changed, and ${missing} of its withdrawals is ` +
    'gone from the tables.'
  log.error({ user: userId }, sentence)
  await noteBroken(sql, sentence)
  throw new Refusal('payout-unproven', { sentence })
}

const isRelease = (userId: string) => part`
  e.subject = ${userId} and e.action = 'user.release-holds'
  and e.details ->> 'result' = 'released'`

async function isHoldMissing(tx: Book, userId: string): Promise<boolean> {
  const lasting = await readSealedEvents(
    tx,
    part`e.subject = ${userId} and e.action = 'withdrawals.hold'
     and (e.details ->> 'until')::timestamptz > now()`,
  )
  if (lasting.length === 0) return false
  const released = await readSealedEvents(tx, isRelease(userId))
  return lasting.some(({ id }) => !released.some((release) => release.id > id))
}

/** 'This was not me' locks until a new password is set by mail. */
async function isLockMissing(tx: Book, userId: string): Promise<boolean> {
  const events = await readSealedEvents(
    tx,
    part`
    e.actor = ${`user:${userId}`} and e.action in ('account.disown', 'password.reset')
    or ${isRelease(userId)}`,
  )
  return (
    events.toSorted((one, other) => (one.id < other.id ? -1 : 1)).at(-1)?.action ===
    'account.disown'
  )
}
