import { statfs } from 'node:fs/promises'
import { codeOf } from '#server/kernel/errors.ts'
import type { Config } from '#server/settings/config.ts'

/** Below this, PostgreSQL will soon have no room for its log, and all writes fail. */
const LEAST_FREE_BYTES = 64 * 1_048_576

/**
 * Time for which a failed write is remembered, because on a full disk small writes may still
 * succeed.
 */
const REMEMBERED_MS = 15_000

/**
 * Whether the database has room: free space of an embedded one, and writes of any that failed for
 * lack of space or memory.
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

/** Unlimited if the folder cannot be examined, because then the database is not in it. */
async function freeBytes(folder: string): Promise<number> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  )
}
