import { maximum, minimum, type Units } from '#core/money/amount.ts'
import { englishMoneyText } from '#core/money/text.ts'

/** A transfer with its entries on the user's accounts. */
export type PostedTransfer = {
  kind: string
  dedupKey: string
  postedAt: Date
  lines: readonly { code: string; amount: Units }[]
}

/** A sealed audit event. */
type ProvenEvent = {
  actor: string
  action: string
  subject: string
  details: Readonly<Record<string, string>>
}

/** `events`: oldest first. */
export type PayoutEvidence = {
  transfers: readonly PostedTransfer[]
  events: readonly ProvenEvent[]
}

type PayoutToProve = { id: string; userId: string; amount: Units }

/**
 * `needed`: number of operators who must approve. `before`: amount of the same user's earlier
 * payouts in the same batch.
 */
type UnprovenCase = Omit<PayoutCase, 'facts' | 'amount'> & {
  payout: PayoutToProve
  needed: number
  isAccountWhole: boolean
  before: Units
}

/**
 * The reason why a withdrawal may not be submitted; undefined if it is proven. Callers must first
 * check the rows that make payouts wait. Threat: an attacker writes a password, an address or a
 * factor into the tables and signs in with it. Threat: somebody with the database password of the
 * app's role changes an account, and then the rows that would make its payouts wait (`isTampered`).
 */
export function findUnproven(
  { transfers, events }: PayoutEvidence,
  { payout, needed, isAccountWhole, before, ...rest }: UnprovenCase,
): { reason: string; isTampered?: true } | undefined {
  const unapproved = findUnapproved({ transfers, events }, { ...payout, needed })
  if (unapproved !== undefined) return { reason: unapproved }
  if (!isAccountWhole)
    return { reason: 'what opens its account or protects its money is not as it was sealed' }
  const missing = lastingHold(events)
  if (missing)
    return {
      reason: `the account was changed, and ${missing} of its withdrawals is gone from the tables`,
      isTampered: true,
    }
  const facts = payoutFacts(transfers)
  const left = facts.left + before
  const fault = findPayoutFault({ ...rest, facts: { ...facts, left }, amount: payout.amount })
  return fault && { reason: reasonOf(fault) }
}

/** Threat: an attacker writes a state or an approval into the tables. */
function findUnapproved(
  { transfers, events }: PayoutEvidence,
  { id, userId, amount, needed }: PayoutToProve & { needed: number },
): string | undefined {
  if (!isPosted(transfers, { dedupKey: `withdrawal:${id}:hold`, code: 'customer:hold', amount }))
    return 'the ledger holds no money for it'
  const own = events.filter(({ subject }) => subject === id)
  if (
    !own.some(({ action, actor }) => action === 'withdrawal.request' && actor === `user:${userId}`)
  )
    return 'its owner did not request it'
  const approvals = own.filter(({ action }) => APPROVALS.has(action))
  if (!approvals.some(({ action }) => action === 'withdrawal.approve')) return 'nobody approved it'
  return new Set(approvals.map(({ actor }) => actor)).size < needed
    ? 'two operators must approve it'
    : undefined
}

const APPROVALS: ReadonlySet<string> = new Set(['withdrawal.approve', 'withdrawal.first-approval'])

/**
 * The reason why a payout may not be handed over; undefined if it may. `batch`: the batch that
 * submitted it, if one did. `account`: the account at the provider. Threat: another account does
 * not have the payment, and would pay again.
 */
export function findUnsubmitted(
  { transfers, events }: PayoutEvidence,
  { id, amount, batch, account }: PayoutToProve & { batch?: number; account?: string | undefined },
): string | undefined {
  const dedupKey = `withdrawal:${id}:submit`
  if (!isPosted(transfers, { dedupKey, code: 'payout:clearing', amount }))
    return 'the ledger did not submit it'
  const submit = events.findLast(
    ({ subject, action }) => subject === id && action === 'withdrawal.submit',
  )
  if (account !== undefined && submit?.details['account'] !== account)
    return `it was submitted to another account than ${account}`
  if (batch === undefined || submit?.details['note'] === noteOfBatch(batch)) return undefined
  return `it is not part of batch ${batch}`
}

/** The note with which a batch marks its steps of a withdrawal. */
export const noteOfBatch = (number: number): string => `batch ${number}`

function isPosted(
  transfers: readonly PostedTransfer[],
  wanted: { dedupKey: string; code: string; amount: Units },
): boolean {
  return transfers.some(
    ({ dedupKey, lines }) =>
      dedupKey === wanted.dedupKey &&
      lines.some(({ code, amount }) => code === wanted.code && amount === wanted.amount),
  )
}

/**
 * Whether a user's withdrawals must wait, by sealed events. 'This was not me' locks them until a
 * new password is set by mail. `events`: of the user, with the holds that still last.
 */
function lastingHold(events: readonly ProvenEvent[]): 'a lock' | 'a hold' | undefined {
  const last = (...actions: string[]) =>
    events.findLast(({ action }) => actions.includes(action))?.action
  if (last('account.disown', 'password.reset', RELEASE) === 'account.disown') return 'a lock'
  return last('withdrawals.hold', RELEASE) === 'withdrawals.hold' ? 'a hold' : undefined
}

const RELEASE = 'user.release-holds'

/** `net`: paid in minus taken back. */
type LedgerDeposit = { id: string; creditedAt: Date; net: Units }

/** Sums over a user's transfers, each at least 0. */
type PayoutFacts = {
  /** Oldest first. */
  deposits: readonly LedgerDeposit[]
  /** Payouts paid or on their way. */
  left: Units
  /** Money that bots returned beyond what was put in, after fees. */
  gains: Units
}

/** The part of a deposit from `from` to `to` units that a payout uses. */
type DepositShare = { id: string; from: Units; to: Units }

type PayoutTrace = { shares: readonly DepositShare[]; fromGains: Units }

type PayoutFault =
  | { reason: 'unconfirmed'; id: string; confirmed: Units; needed: Units }
  | { reason: 'on-hold'; until: Date }
  | { reason: 'without-origin'; amount: Units }

const DEPOSIT_KINDS: ReadonlySet<string> = new Set([
  'deposit',
  'refund',
  'refund-returned',
  'dispute',
  'dispute-returned',
])

export function payoutFacts(transfers: readonly PostedTransfer[]): PayoutFacts {
  const deposits = new Map<string, LedgerDeposit>()
  for (const { kind, dedupKey, postedAt, lines } of transfers) {
    if (!DEPOSIT_KINDS.has(kind)) continue
    const [, id = ''] = dedupKey.split(':')
    const known = deposits.get(id)
    const creditedAt = kind === 'deposit' ? postedAt : (known?.creditedAt ?? postedAt)
    deposits.set(id, { id, creditedAt, net: (known?.net ?? 0n) - sumOf(lines, ['card:clearing']) })
  }
  const all = transfers.flatMap(({ lines }) => lines)
  return {
    deposits: [...deposits.values()]
      .toSorted(byCredit)
      .map((deposit) => ({ ...deposit, net: maximum(0n, deposit.net) })),
    left: maximum(0n, sumOf(all, ['payout:clearing', 'bank'])),
    gains: maximum(0n, -sumOf(all, ['bots', 'fees:income', 'rounding'])),
  }
}

const byCredit = (one: LedgerDeposit, other: LedgerDeposit): number =>
  one.creditedAt.getTime() - other.creditedAt.getTime() || (one.id < other.id ? -1 : 1)

function sumOf(lines: PostedTransfer['lines'], codes: readonly string[]): Units {
  return lines.reduce((sum, { code, amount }) => (codes.includes(code) ? sum + amount : sum), 0n)
}

/**
 * Traces a payout to the deposits that fund it, first in, first out. Money that no deposit covers
 * must be gains. `heldSince`: deposits credited after it cannot fund payouts.
 */
export function tracePayout(
  { deposits, left }: Pick<PayoutFacts, 'deposits' | 'left'>,
  { amount, heldSince }: { amount: Units; heldSince: Date },
): PayoutTrace {
  const shares: DepositShare[] = []
  let [gone, rest] = [left, amount]
  for (const { id, net, creditedAt } of deposits) {
    if (creditedAt > heldSince) continue
    const from = minimum(gone, net)
    const taken = minimum(rest, net - from)
    if (taken > 0n) shares.push({ id, from, to: from + taken })
    gone -= from
    rest -= taken
  }
  // `gone`: the part of earlier payouts that these deposits did not cover; gains cover it too.
  return { shares, fromGains: rest === 0n ? 0n : rest + gone }
}

type PayoutCase = {
  facts: PayoutFacts
  amount: Units
  /** Deposits credited after this time are on hold, for `holdMs`. */
  heldSince: Date
  holdMs: number
  /** Amount that the card provider confirms today, less refunds and disputes, by deposit. */
  confirmed: ReadonlyMap<string, Units>
}

/**
 * The rule for payouts: a user's payouts are at most the deposits that the card provider confirms,
 * plus the gains in the ledger. Undefined if proven. A deposit missing from `confirmed` counts as
 * unconfirmed.
 */
export function findPayoutFault({
  facts,
  amount,
  heldSince,
  holdMs,
  confirmed,
}: PayoutCase): PayoutFault | undefined {
  const { shares, fromGains } = tracePayout(facts, { amount, heldSince })
  for (const { id, to } of shares) {
    const known = confirmed.get(id) ?? 0n
    if (known < to) return { reason: 'unconfirmed', id, confirmed: known, needed: to }
  }
  if (fromGains <= facts.gains) return undefined
  const held = facts.deposits.find(({ creditedAt, net }) => creditedAt > heldSince && net > 0n)
  return held
    ? { reason: 'on-hold', until: new Date(held.creditedAt.getTime() + holdMs) }
    : { reason: 'without-origin', amount: fromGains - facts.gains }
}

function reasonOf(fault: PayoutFault): string {
  if (fault.reason === 'on-hold')
    return `the deposit that funds it is on hold until ${fault.until.toISOString()}`
  if (fault.reason === 'without-origin')
    return `${englishMoneyText({ amount: fault.amount })} of it come from no deposit and no gain`
  return (
    `the card provider confirms ${englishMoneyText({ amount: fault.confirmed })} of the deposit ` +
    `${fault.id}, and ${englishMoneyText({ amount: fault.needed })} of it are needed`
  )
}

/**
 * In units of USD. `traded`: gained by trading and interest so far; negative for a loss or for
 * money in coins.
 */
export type BookTotals = { left: Units; deposits: Units; traded: Units; owed: Units; bots: Units }

/**
 * The rule for the whole book: payouts are at most what was deposited and earned, or is owed back;
 * and bots paid out no money that they never had. A user's gains are sealed, but not the holdings
 * behind them; so the gains are compared with the house's transfers.
 */
export function isCovered(
  { left, deposits, traded, owed, bots }: BookTotals,
  amount: Units,
): boolean {
  return left + amount <= deposits + traded + owed && bots >= 0n
}
