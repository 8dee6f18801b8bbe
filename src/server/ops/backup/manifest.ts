import { refusal } from '../command.ts'
import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '#core/refusal.ts'
import { codeOf } from '#server/kernel/errors.ts'
import type { Queries } from '#server/db/statement.ts'

export const HEADER = 'header'
export const MANIFEST = 'manifest'

/** The first record: the identity of the book and the schema that a restore needs. */
export const Header = z.object({
  schema: z.string(),
  book: z.object({ id: z.string(), kind: z.enum(['paper', 'live']) }),
  madeAt: z.string(),
})
export type Header = z.infer<typeof Header>

/** The last record: for each table its number of rows, and the digest of its lines. */
export const Manifest = z.record(z.string(), z.object({ rows: z.number(), digest: z.string() }))
export type Manifest = z.infer<typeof Manifest>

export function manifestMaker(): {
  add: (table: string, part: { rows: number; text: string }) => void
  manifest: () => Manifest
} {
  const tables = new Map<string, { rows: number; hash: Hash }>()
  return {
    add: (table, { rows, text }) => {
      const { rows: before = 0, hash = createHash('sha256') } = tables.get(table) ?? {}
      tables.set(table, { rows: before + rows, hash: hash.update(text) })
    },
    manifest: () =>
      Object.fromEntries(
        [...tables].map(([table, { rows, hash }]) => [
          table,
          { rows, digest: hash.copy().digest('hex') },
        ]),
      ),
  }
}

export function findDifference(one: Manifest, other: Manifest): string | undefined {
  const tables = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return tables.find(
    (table) =>
      one[table]?.rows !== other[table]?.rows || one[table]?.digest !== other[table]?.digest,
  )
}

/**
 * Tables that are not backed up. Threat: a session that ended after the backup would be valid
 * again. The chain of seals starts again in a restored book, whose transaction numbers are new.
 */
const LEFT_OUT = [
  'schema_migrations',
  'throttles',
  'sessions',
  'program_keys',
  'program_key_bots',
  'operator_sessions',
  'proofs',
  'spent_challenges',
  'reset_requests',
  'wallet_nonces',
  'book_seals',
  'broken_seal',
]

const LEFT_OUT_COLUMN = 'written_in'

export async function tablesOf(sql: Queries): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname <> all(${LEFT_OUT}) order by relname`
  return rows.map(({ name }) => name)
}

export async function columnsOf(sql: Queries, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0
       and not attisdropped and attgenerated = ''`
  return rows.map(({ name }) => name)
}

export async function keptColumnsOf(sql: Queries, table: string): Promise<string[]> {
  return (await columnsOf(sql, table)).filter((name) => name !== LEFT_OUT_COLUMN)
}

export async function schemaOf(sql: Queries): Promise<string> {
  const rows = await sql<{ name: string }[]>`select name from schema_migrations order by name`
  return rows.map(({ name }) => name).join(' ')
}

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of it is a file',
  EACCES: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

export function refusalOfFile(error: unknown, file: string): Refusal | undefined {
  const reason = REASONS[codeOf(error)]
  return reason === undefined ? undefined : refusal(`${file} cannot be used: ${reason}.`)
}
