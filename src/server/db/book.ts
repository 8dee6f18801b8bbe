import type { Seals } from '../kernel/seal.ts'
import { atomically } from './atomically.ts'
import type { Sql } from './open.ts'
import type { Queries } from './statement.ts'

export type Book = { sql: Queries; seals: Seals }

export type BookWrite = Book & { readonly isTransaction: true }

/** A book on a pool of connections. Each write runs in `atomically` (`atomically.ts`). */
export type OpenBook = {
  sql: Sql
  seals: Seals
  atomically: <Result>(work: (tx: BookWrite) => Promise<Result>) => Promise<Result>
}

export const bookOn = (sql: Sql, seals: Seals): OpenBook => ({
  sql,
  seals,
  atomically: (work) => atomically(sql, (tx) => work({ sql: tx, seals, isTransaction: true })),
})
