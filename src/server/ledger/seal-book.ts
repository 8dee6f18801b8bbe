import { required } from '#core/assert.ts'
import type { OpenBook, BookWrite } from '#server/db/book.ts'
import { findBorder } from '#server/db/distribution/find-border.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Head } from '#server/kernel/kept-head.ts'
import { contentOfSeal, type BookSeal } from '#server/kernel/seal.ts'
import { faultOfHead, findBrokenRows, SEAL_CHECKS, type Difference } from './check-seals.ts'

/** Arbitrary, but the same in every process: links are made one after another. */
const SEALING_LOCK = 7_205_331_143n

/** `head`: undefined for a book without rows. `broken`: reasons why no link was added. */
type Sealed = { head: Head | undefined; broken: Difference[] }

/** `seen`: the head that this installation keeps. */
type Sealing = { now: Date; seen: Head | undefined }

/**
 * Adds a link to the book's chain. It covers every row since the last link; rows of open
 * transactions are left for the next one. A row with a broken seal is never covered. Threat: a
 * database restored to an earlier state would grow past the kept head and look intact. So a link is
 * added only to a chain that contains that head.
 */
export async function sealBook(
  { seals, atomically }: OpenBook,
  { now, seen }: Sealing,
): Promise<Sealed> {
  return atomically(async (tx) => {
    await tx.sql`select pg_advisory_xact_lock(${SEALING_LOCK})`
    const last = await findLast(tx.sql)
    const head = last && { number: last.number, seal: last.seal }
    const finding =
      seen &&
      faultOfHead(seen, { found: await findSeal(tx.sql, seen.number), length: last?.number ?? 0n })
    if (finding !== undefined)
      return {
        head: undefined,
        broken: [{ check: SEAL_CHECKS.chain, subject: `seal ${seen?.number}`, finding }],
      }
    const since = last?.untilTransaction ?? 0n
    const written = await findWritten(tx, since)
    if (written.transfers === 0n && written.events.length === 0) return { head, broken: [] }
    const broken = await findBrokenRows(tx.sql, seals, { since, until: written.untilTransaction })
    if (broken.length > 0) return { head, broken }
    const link = {
      ...written,
      number: (last?.number ?? 0n) + 1n,
      previous: last?.seal ?? '',
      sealedAt: now,
    }
    const seal = seals.sealOf('seal of the book', contentOfSeal(link))
    await insertLink(tx.sql, { ...link, seal })
    return { head: { number: link.number, seal }, broken }
  })
}

async function findLast(
  tx: Queries,
): Promise<(Head & Pick<BookSeal, 'untilTransaction'>) | undefined> {
  const [row] = await tx<(Head & Pick<BookSeal, 'untilTransaction'>)[]>`
    select number, seal, until_transaction from book_seals order by number desc limit 1`
  return row
}

async function findSeal(tx: Queries, number: bigint): Promise<string | undefined> {
  const [row] = await tx<{ seal: string }[]>`select seal from book_seals where number = ${number}`
  return row?.seal
}

/** Visible rows since the last link, up to a transaction before which no more rows can appear. */
async function findWritten(
  tx: BookWrite,
  since: bigint,
): Promise<Pick<BookSeal, 'untilTransaction' | 'transfers' | 'events'>> {
  const untilTransaction = await findBorder(tx)
  const [transfers] = await tx.sql<
    { count: bigint }[]
  >`select count(*) from ledger_transfers where written_in >= ${since}
    and written_in < ${untilTransaction}`
  const [events] = await tx.sql<{ ids: string[] }[]>`
    select coalesce(array_agg(id order by id), '{}') as ids from audit_events
     where written_in >= ${since} and written_in < ${untilTransaction}`
  return {
    untilTransaction,
    transfers: required(transfers, 'a count has a row').count,
    events: required(events, 'a list has a row').ids,
  }
}

async function insertLink(
  tx: Queries,
  {
    number,
    previous,
    untilTransaction,
    transfers,
    events,
    sealedAt,
    seal,
  }: BookSeal & { seal: string },
): Promise<void> {
  await tx`
    insert into book_seals (number, previous, until_transaction, transfers, events, sealed_at, seal)
    values (${number}, ${previous}, ${untilTransaction}, ${transfers}, ${[...events]}::uuid[],
           ${sealedAt}, ${seal})`
}
