import { statfs } from 'node:fs/promises'
import type { Config } from '#server/config.ts'
import { codeOf } from '#server/code-of.ts'

/** Below this, PostgreSQL soon has no room for its log, and no write succeeds. */
const LEAST_FREE_BYTES = 64 * 1_048_576

/**
 * How long a failed write counts: on a full disk, small writes may still find room where others
 * have none.
 */
const REMEMBERED_MS = 15_000

/**
 * Whether the database has room: the free space of an embedded one, and the writes of any that
 * failed for lack of space or memory.
 */
export type Storage = { note: (error: Error) => void; isFull: () => Promise<boolean> }

export function watchStorage({
  DATABASE_URL,
  DATA_DIR,
}: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Storage {
  let failedMs = Number.NEGATIVE_INFINITY
  return {
    // SQLSTATE class 53, insufficient resources, without 53300, too many connections.
    note: (error) => {
      if (/^53[12]/.test(codeOf(error))) failedMs = performance.now()
    },
    isFull: async () =>
      performance.now() - failedMs < REMEMBERED_MS ||
      (DATABASE_URL === undefined && (await freeBytes(DATA_DIR)) < LEAST_FREE_BYTES),
  }
}

/** Unlimited where the folder cannot be examined: then the database is not in it. */
async function freeBytes(folder: string): Promise<number> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  )
}
