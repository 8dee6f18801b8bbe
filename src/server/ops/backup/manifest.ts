import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'

/** Names of the records that are no tables. */
export const HEADER = 'header'
export const MANIFEST = 'manifest'

/** The first record: which book it is, and which schema it needs. */
export const Header = z.object({
  schema: z.string(),
  book: z.object({ id: z.string(), kind: z.enum(['paper', 'live']) }),
  madeAt: z.string(),
})
export type Header = z.infer<typeof Header>

/** The last record: for each table its number of rows, and the digest of its lines. */
export const Manifest = z.record(z.string(), z.object({ rows: z.number(), digest: z.string() }))
export type Manifest = z.infer<typeof Manifest>

/** Counts rows and digests lines as they pass. */
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

/** The first table that differs between two manifests; undefined if none does. */
export function findDifference(one: Manifest, other: Manifest): string | undefined {
  const tables = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return tables.find(
    (table) =>
      one[table]?.rows !== other[table]?.rows || one[table]?.digest !== other[table]?.digest,
  )
}
