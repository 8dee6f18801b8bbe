import type { Seals } from '../kernel/seal.ts'
import { atomically } from './atomically.ts'
import type { Sql } from './open.ts'
import type { Queries } from './statement.ts'

/** The rows of a book, and the seals that vouch for them. */
export type Book = { sql: Queries; seals: Seals }

/** A book within one transaction. The type keeps an open book from being passed instead. */
export type Transaction = Book & { readonly isTransaction: true }

/** A book on a pool of connections. `atomically` runs each write: see there. */
export type OpenBook = {
  sql: Sql
  seals: Seals
  atomically: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>
}

export const bookOn = (sql: Sql, seals: Seals): OpenBook => ({
  sql,
  seals,
  atomically: (work) => atomically(sql, (tx) => work({ sql: tx, seals, isTransaction: true })),
})
