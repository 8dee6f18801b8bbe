import { maximum, minimum, type Units } from '#core/money/amount.ts'

/** With its entries on the user's accounts. */
export type PostedTransfer = {
  kind: string
  dedupKey: string
  postedAt: Date
  lines: readonly { code: string; amount: Units }[]
}

/** `net`: paid in, less taken back. */
export type LedgerDeposit = { id: string; creditedAt: Date; net: Units }

/** From a user's transfers; at least 0. */
export type PayoutFacts = {
  /** Oldest first. */
  deposits: readonly LedgerDeposit[]
  /** Payouts paid or on their way. */
  left: Units
  /** Money that bots returned beyond what was put in, after fees. */
  gains: Units
}

/** The part of a deposit from `from` to `to` units that a payout uses. */
export type DepositShare = { id: string; from: Units; to: Units }

export type PayoutTrace = { shares: readonly DepositShare[]; fromGains: Units }

/** `id`: of the deposit. */
export type PayoutFault =
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
 * must be gains. `holdMs`: age below which deposits fund nothing yet.
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
  // If more left than these deposits brought, gains have paid for that already.
  return { shares, fromGains: rest === 0n ? 0n : rest + gone }
}

type PayoutCase = {
  facts: PayoutFacts
  amount: Units
  /** Deposits credited later than this are on hold; `holdMs` is for how long. */
  heldSince: Date
  holdMs: number
  /** By deposit: what the card provider confirms today, less refunds and disputes. */
  confirmed: ReadonlyMap<string, Units>
}

/**
 * The rule for money that leaves: a user's payouts are at most the deposits that the card provider
 * confirms, plus the gains in the ledger. Undefined if proven. A deposit missing from `confirmed`
 * counts as unconfirmed.
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

/**
 * In units of USD. `traded`: gained by trading and interest so far; negative for a loss or for
 * money in coins.
 */
export type BookTotals = { left: Units; deposits: Units; traded: Units; owed: Units; bots: Units }

/**
 * The rule for the whole book: no more leaves than was deposited and earned, or is owed back; and
 * bots have not paid out money that they never had. A user's gains are sealed, but the holdings
 * behind them are not: here they are compared with the house's own transfers.
 */
export function isCovered(
  { left, deposits, traded, owed, bots }: BookTotals,
  amount: Units,
): boolean {
  return left + amount <= deposits + traded + owed && bots >= 0n
}
