import { setTimeout as delay } from 'node:timers/promises'
import { atOneMoment } from '#server/db/atomically.ts'
import type { OpenBook } from '#server/db/book.ts'
import { isDistributed } from '#server/db/distribution/users-tables.ts'
import type { Queries } from '#server/db/statement.ts'
import { findBrokenSeals, findChangedAccounts, type Difference } from './check-seals.ts'
import { LEDGER, type Check } from './reconcile-ledger.ts'
import { BOTS } from './reconcile-bots.ts'
import { POOLS } from './reconcile-pools.ts'
import { RAILS } from './reconcile-rails.ts'

const MOST_ROWS = 20

/**
 * Checks every invariant and every seal on one snapshot; an empty list means that the book is in
 * order. Nodes of a distributed database have no common snapshot, so there only a difference found
 * twice is reported.
 */
export async function reconcile({
  sql,
  seals,
}: Pick<OpenBook, 'sql' | 'seals'>): Promise<Difference[]> {
  const once = () =>
    atOneMoment(sql, async (tx) => [
      ...(await recompute(tx)),
      ...(await findBrokenSeals(tx, seals)),
      ...(await findChangedAccounts(tx, seals)),
    ])
  const found = await once()
  if (found.length === 0 || !(await isDistributed(sql))) return found
  await delay(BETWEEN_MS)
  const again = new Set((await once()).map(textOf))
  return found.filter((difference) => again.has(textOf(difference)))
}

/** Longer than a transaction takes to reach all nodes. */
const BETWEEN_MS = 2_000

const textOf = ({ check, subject, finding }: Difference): string =>
  JSON.stringify([check, subject, finding])

/** Recomputes the whole book, but does not check the seals. */
export async function recompute(tx: Queries): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const { name, statement } of CHECKS) {
    const rows = await tx.unsafe<{ subject: string; finding: string }[]>(
      `select * from (${statement}) found limit ${MOST_ROWS}`,
    )
    for (const { subject, finding } of rows) differences.push({ check: name, subject, finding })
  }
  return differences
}

export const CHECKS: readonly Check[] = [...LEDGER, ...RAILS, ...POOLS, ...BOTS]
