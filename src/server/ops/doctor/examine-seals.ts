import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { headFileOf, readHead } from '#server/kept-head.ts'
import { findBrokenSeals } from '#server/ledger/check-seals.ts'
import { contentOfBook, openSeals, type BookIdentity } from '#server/seal.ts'
import { ok, wrong, type Finding } from './finding.ts'

/** Checks the seals of the book without changing anything. */
export async function examineSeals(
  sql: Sql,
  { secret, dataDir }: { secret: string; dataDir: string },
): Promise<Finding> {
  const [stored] = await sql<
    (BookIdentity & { seal: string | null })[]
  >`select id, kind, seal from book`
  if (!stored || stored.seal === null)
    return ok('seals', 'the next start seals this book with the secret')
  const { seal, ...book } = stored
  const seals = openSeals({ secret, book })
  if (!seals.fits(seal, 'book', contentOfBook(book)))
    return wrong(
      'seals',
      'this book was sealed with another secret, or its kind was changed: it does not start',
    )
  const seen = await readHead(dataDir, book.id)
  const [broken] = await atOneMoment(sql, (tx) =>
    findBrokenSeals(tx, seals, { seen, rows: 'quick' }),
  )
  if (broken)
    return wrong(
      'seals',
      `${broken.check}; ${broken.subject}: ${broken.finding}. Run npm run ops -- reconcile, ` +
        'and see "A broken seal" in docs/going-live.md',
    )
  return ok(
    'seals',
    seen
      ? `whole; the newest is number ${seen.number}, kept in ${headFileOf(dataDir, book.id)}`
      : 'whole; none has been seen by this installation yet',
  )
}
