import type { OpenBook } from '#server/db/book.ts'
import { checkBook, type BookOptions } from '#server/db/check-book.ts'
import type { Sql } from '#server/db/open.ts'
import { refuseBrokenSeals } from './guard-seals.ts'

/**
 * Opens the book of a migrated database for a server: its kind and its secret fit, and its seals
 * are whole. Throws `StartupError` with the sentence that the operator reads.
 */
export async function openBook(
  sql: Sql,
  config: BookOptions & { DATA_DIR: string },
): Promise<OpenBook> {
  const book = await checkBook(sql, config)
  await refuseBrokenSeals({ ...book, config })
  return book
}
