import { required } from '#core/assert.ts'
import type { Book } from '../book.ts'
import { isDistributed } from './users-tables.ts'

/**
 * The transaction number below which all rows are visible. In a distributed database, an earlier
 * such number, because rows reach all nodes only after a while.
 */
export async function findBorder({ sql, seals }: Book): Promise<bigint> {
  const [row] = await sql<
    { border: bigint }[]
  >`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as border`
  const { border } = required(row, 'there is a snapshot')
  return (await isDistributed(sql)) ? borderOnNodes(seals.book.id, border) : border
}

/**
 * A finished transaction reaches all nodes within this time: Citus recovers after a crash once a
 * minute.
 */
const REACHES_NODES_MS = 150_000

/** Borders that this process has noted, by book. */
const borders = new Map<string, { at: number; border: bigint }[]>()

function borderOnNodes(book: string, border: bigint): bigint {
  const now = performance.now()
  const noted = [...(borders.get(book) ?? []), { at: now, border }]
  const old = noted.filter(({ at }) => now - at >= REACHES_NODES_MS)
  borders.set(book, noted.slice(Math.max(0, old.length - 1)))
  return old.at(-1)?.border ?? 0n
}
