import { StartupError } from '../startup-error.ts'
import type { Sql } from './open.ts'

/** A database is born paper or live and never changes: the first start writes which, every later one must agree. */
export async function checkBook(sql: Sql, kind: 'paper' | 'live'): Promise<void> {
  await sql`insert into book (kind) values (${kind}) on conflict do nothing`
  const [book] = await sql<{ kind: string }[]>`select kind from book`
  if (book?.kind === kind) return
  throw new StartupError(`This database is a ${book?.kind ?? 'strange'} book and BOOK=${kind}: a book never changes its kind. Use another database.`)
}
