import { findBrokenAccounts } from '#server/security/account-seal.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import type { Head } from '#server/kernel/kept-head.ts'
import {
  contentOfEvent,
  contentOfSeal,
  contentOfTransfer,
  type BookSeal,
  type Seals,
} from '#server/kernel/seal.ts'
import { sealedEvents, sealedTransfers } from './sealed-rows.ts'

/** A row that violates an invariant. */
export type Difference = { check: string; subject: string; finding: string }

type Scope = {
  /** The head that this installation last saw, kept outside the database. */
  seen?: Head | undefined
  /**
   * The rows whose own seals are checked. 'quick': all rows of a small book, but only those since
   * the seen head of a large one. The chain and the number of rows are always checked.
   */
  rows?: 'all' | 'quick'
}

/** Maximum transfers of a small book. Checking them takes about a second. */
const SMALL_BOOK = 50_000n

const MOST_ROWS = 20

export const SEAL_CHECKS = {
  chain: 'the chain of seals is whole',
  vanished: 'every sealed row is there',
  row: 'every row is as it was sealed',
  account: 'every account is as it was sealed',
} as const

/**
 * Finds changed and inserted rows by their own seals, deleted ones by the link that covers them,
 * changed and missing links by the chain, and a chain cut at its end by the seen head.
 */
export async function findBrokenSeals(
  tx: Queries,
  seals: Seals,
  { seen, rows = 'all' }: Scope = {},
): Promise<Difference[]> {
  const links = await findLinks(tx)
  const isLarge = links.reduce((sum, { transfers }) => sum + transfers, 0n) > SMALL_BOOK
  const since =
    rows === 'quick' && isLarge
      ? (links.find(({ number }) => number === seen?.number)?.untilTransaction ?? 0n)
      : 0n
  return [
    ...brokenLinks(links, { seals, seen }),
    ...(await vanishedRows(tx, links)),
    ...(await findBrokenRows(tx, seals, { since })),
  ]
}

/** Broken seals among the rows of a range of transactions. */
export async function findBrokenRows(
  tx: Queries,
  seals: Seals,
  { since, until = MOST }: { since: bigint; until?: bigint },
): Promise<Difference[]> {
  const events = await changedEvents(
    tx,
    seals,
    part`e.written_in >= ${since} and e.written_in < ${until}`,
  )
  return [
    ...events,
    ...(await changedTransfers(
      tx,
      seals,
      part`t.written_in >= ${since} and t.written_in < ${until}`,
    )),
  ]
}

/** Above the numbers of all database transactions. */
const MOST = 9_223_372_036_854_775_807n

/** Accounts whose sign-in or protections somebody else changed. Only these accounts are locked. */
export async function findChangedAccounts(tx: Queries, seals: Seals): Promise<Difference[]> {
  const changed = await findBrokenAccounts(tx, seals)
  return changed.slice(0, MOST_ROWS).map(changedAccount)
}

export const changedAccount = (subject: string): Difference => ({
  check: SEAL_CHECKS.account,
  subject,
  finding: 'what opens it or protects its money is not as it was sealed',
})

type StoredLink = BookSeal & { seal: string }

async function findLinks(tx: Queries): Promise<StoredLink[]> {
  return tx<
    StoredLink[]
  >`select number, previous, until_transaction, transfers, events, sealed_at, seal from book_seals
    order by number`
}

/** The first broken link. Links after it are not checked, because they prove nothing. */
function brokenLinks(
  links: readonly StoredLink[],
  { seals, seen }: { seals: Seals; seen: Head | undefined },
): Difference[] {
  const check = SEAL_CHECKS.chain
  let previous = ''
  for (const [index, link] of links.entries()) {
    const subject = `seal ${link.number}`
    if (link.number !== BigInt(index + 1))
      return [{ check, subject, finding: `seal ${index + 1} is missing` }]
    if (link.previous !== previous)
      return [{ check, subject, finding: 'it does not follow the seal before it' }]
    if (!seals.fits(link.seal, 'seal of the book', contentOfSeal(link)))
      return [{ check, subject, finding: 'it was changed, or made by somebody else' }]
    previous = link.seal
  }
  if (seen === undefined) return []
  const finding = faultOfHead(seen, {
    found: links[Number(seen.number) - 1]?.seal,
    length: BigInt(links.length),
  })
  return finding === undefined ? [] : [{ check, subject: `seal ${seen.number}`, finding }]
}

/**
 * The reason why the chain does not contain the seen head; undefined if it does. `found`: the
 * chain's seal of that number.
 */
export function faultOfHead(
  { seal }: Head,
  { found, length }: { found: string | undefined; length: bigint },
): string | undefined {
  if (found === seal) return undefined
  return found === undefined
    ? `this installation has seen it, and the chain ends at seal ${length}`
    : 'this installation has seen another one of that number'
}

/** Compares the rows that each link covers with those present, and names missing audit events. */
async function vanishedRows(tx: Queries, links: readonly StoredLink[]): Promise<Difference[]> {
  if (links.length === 0) return []
  const present = await countRows(tx, links)
  const counts = links.flatMap((link, place) => {
    const { transfers = 0n, events = 0n } = present.get(place) ?? {}
    return [
      { link, what: 'transfers', covered: link.transfers, there: transfers },
      { link, what: 'audit events', covered: BigInt(link.events.length), there: events },
    ]
  })
  const gone = await tx<{ id: string; number: bigint }[]>`
    select e.id, s.number from book_seals s cross join unnest(s.events) as e (id)
     where not exists (select 1 from audit_events a where a.id = e.id) order by s.number
     limit ${MOST_ROWS}`
  return [
    ...counts
      .filter(({ covered, there }) => covered !== there)
      .slice(0, MOST_ROWS)
      .map(({ link: { number, sealedAt }, what, covered, there }) => ({
        check: SEAL_CHECKS.vanished,
        subject: `seal ${number} of ${sealedAt.toISOString()}`,
        finding: `it covers ${covered} ${what}, and ${there} are there`,
      })),
    ...gone.map(({ id, number }) => ({
      check: SEAL_CHECKS.vanished,
      subject: id,
      finding: `the audit event is in seal ${number}, and it is gone`,
    })),
  ]
}

type Covered = { link: number; transfers: bigint; events: bigint }

/** Numbers of transfers and events, by the link's position in `links`. */
async function countRows(
  tx: Queries,
  links: readonly StoredLink[],
): Promise<ReadonlyMap<number, Covered>> {
  const untils = links.map(({ untilTransaction }) => String(untilTransaction))
  const counts = await tx<Covered[]>`
    select link, coalesce(sum(transfers), 0)::bigint as transfers,
           coalesce(sum(events), 0)::bigint as events
      from (select width_bucket(written_in, ${untils}::bigint[]) as link, count(*) as transfers,
           0::bigint as events from ledger_transfers group by 1
            union all select width_bucket(written_in, ${untils}::bigint[]), 0, count(*)
             from audit_events group by 1) as found
     group by link`
  return new Map(counts.map((row) => [row.link, row]))
}

async function changedEvents(tx: Queries, seals: Seals, where: Fragment): Promise<Difference[]> {
  const found: Difference[] = []
  for await (const rows of sealedEvents(tx, where)) {
    const broken = rows.filter((row) => !seals.fits(row.seal, 'audit event', contentOfEvent(row)))
    found.push(
      ...broken.map(({ id, action, seal }) => ({
        check: SEAL_CHECKS.row,
        subject: id,
        finding: `audit event ${action} ${fault(seal)}`,
      })),
    )
    if (found.length >= MOST_ROWS) break
  }
  return found.slice(0, MOST_ROWS)
}

async function changedTransfers(tx: Queries, seals: Seals, where: Fragment): Promise<Difference[]> {
  const found: Difference[] = []
  for await (const rows of sealedTransfers(tx, where)) {
    const broken = rows.filter((row) => !seals.fits(row.seal, 'transfer', contentOfTransfer(row)))
    found.push(
      ...broken.map(({ id, dedupKey, seal }) => ({
        check: SEAL_CHECKS.row,
        subject: id,
        finding: `transfer ${dedupKey} ${fault(seal)}`,
      })),
    )
    if (found.length >= MOST_ROWS) break
  }
  return found.slice(0, MOST_ROWS)
}

const fault = (seal: string | null): string =>
  seal === null ? 'has no seal' : 'is not as it was sealed'
