import { groupBy } from '#core/group-by.ts'
import { isCovered } from '#core/withdrawals/payout-proof.ts'
import { Refusal } from '#core/refusal.ts'
import type { Units } from '#core/money/amount.ts'
import type { Context } from '#server/context.ts'
import { checkSeals, sealNow, sentenceOf } from '#server/ledger/guard-seals.ts'
import { readBookTotals } from '#server/ledger/sealed-rows.ts'
import { refuseHaltedPayouts } from './halt-payouts.ts'
import { confirmDeposits, needsProof, type Confirmations } from './prove-payout.ts'
import { setWaitsFor, type WithdrawalKey } from './store.ts'

type Waiting = WithdrawalKey & { amount: Units }

/** By the withdrawal's id. */
export type Confirmed = ReadonlyMap<string, Confirmations>

/**
 * Prepares payouts: they are not halted, the seals of the book are whole, the whole book covers all
 * of them, and the card provider was asked about the deposits behind each. `rows`: which of a large
 * book's seals are checked. A withdrawal that it was not asked about waits, with the reason, and is
 * prepared again at the next attempt. Refuses as 'payout-unproven' if nothing may leave.
 */
export async function confirmPayouts(
  context: Context,
  waiting: readonly Waiting[],
  rows: 'all' | 'quick',
): Promise<Confirmed> {
  if (waiting.length > 0) await refuseHaltedPayouts(context)
  if (waiting.length === 0 || !needsProof(context))
    return new Map(waiting.map(({ id }) => [id, new Map()]))
  await refuseUncovered(context, waiting, rows)
  const confirmed = new Map<string, Confirmations>()
  const users = [...groupBy(waiting, ({ userId }) => userId)]
  for (let first = 0; first < users.length; first += AT_ONCE) {
    await Promise.all(
      users.slice(first, first + AT_ONCE).map(async ([userId, own]) => {
        const known = await confirmFor(context, userId, own)
        if (known) for (const { id } of own) confirmed.set(id, known)
      }),
    )
  }
  return confirmed
}

/** Users whose deposits the card provider is asked about at the same time. */
const AT_ONCE = 4

/**
 * All that a user withdraws leaves together: one payout begins in the deposits where the one before
 * it ended.
 */
async function confirmFor(
  context: Context,
  userId: string,
  own: readonly Waiting[],
): Promise<Confirmations | undefined> {
  try {
    return await confirmDeposits(context, { userId, amount: sumOf(own) })
  } catch (error) {
    for (const withdrawal of own) await waitFor(context, withdrawal, error)
    return undefined
  }
}

const sumOf = (waiting: readonly Waiting[]): Units =>
  waiting.reduce((sum, { amount }) => sum + amount, 0n)

async function refuseUncovered(
  context: Context,
  waiting: readonly Waiting[],
  rows: 'all' | 'quick',
): Promise<void> {
  await sealNow(context)
  const [broken] = await checkSeals(context, rows)
  if (broken) throw new Refusal('payout-unproven', { sentence: sentenceOf(broken) })
  if (isCovered(await readBookTotals(context.sql), sumOf(waiting))) return
  throw new Refusal('payout-unproven', {
    sentence:
      'These payouts are not proven: more would leave the book than came in. Run npm run ops ' +
      '-- reconcile.',
  })
}

/** Notes why a withdrawal waits. Rethrows errors that are not refusals. */
export async function waitFor(
  { sql, log }: Context,
  { userId, id }: WithdrawalKey,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Refusal)) throw error
  const reason = REASONS[error.code] ?? error.message
  if (await setWaitsFor(sql, { userId, id, reason }))
    log.warn({ withdrawalId: id, reason }, 'a payout waits')
}

const REASONS: Partial<Record<string, string>> = {
  'payment-provider-away': 'The card provider does not answer.',
}
