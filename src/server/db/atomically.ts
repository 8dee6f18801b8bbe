import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../kernel/errors.ts'
import { NO_PRIMARY } from './client.ts'
import type { Sql } from './open.ts'
import type { Queries } from './statement.ts'

/**
 * The response to COMMIT was lost with the connection, so it is unknown whether the work is booked.
 * It is never rerun here: the caller retries with the same dedup key, which either finds the work
 * done or does it once.
 */
export class CommitAnswerLost extends Error {
  override readonly name = 'CommitAnswerLost'
}

const ATTEMPTS = 8
const FIRST_RETRY_DELAY_MS = 25
const LONGEST_RETRY_DELAY_MS = 1_000

/**
 * Runs `work` in one database transaction at READ COMMITTED and returns its result once the commit
 * is durable. Retries at most 7 times within about 4 s, after a serialisation failure, a deadlock,
 * or a connection lost before COMMIT was sent. So `work` must have no effects outside its
 * transaction. Any other error rolls back and is rethrown. Throws `CommitAnswerLost` if only the
 * response to COMMIT is missing.
 */
export function atomically<Result>(sql: Sql, work: Work<Result>): Promise<Result> {
  return runUntilSettled({ sql, work, mode: 'isolation level read committed' })
}

/**
 * Like `atomically`, but all statements read the snapshot of the first one, and besides it only
 * this transaction's own changes. If another transaction has changed a row since, this one cannot
 * change it, and `work` runs again.
 */
export function inOneSnapshot<Result>(sql: Sql, work: Work<Result>): Promise<Result> {
  return runUntilSettled({ sql, work, mode: 'isolation level repeatable read' })
}

/**
 * Runs read-only `work` on one snapshot of the database. Retries like `atomically`. In a
 * distributed database each node has a snapshot of its own, taken during the work.
 */
export function atOneMoment<Result>(sql: Sql, work: Work<Result>): Promise<Result> {
  return runUntilSettled({ sql, work, mode: 'isolation level repeatable read read only' })
}

type Work<Result> = (tx: Queries) => Promise<Result>

type Job<Result> = { sql: Sql; work: Work<Result>; mode: string }

async function runUntilSettled<Result>({ sql, work, mode }: Job<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    let commitSent = false
    try {
      return await sql.begin(mode, async (tx) => {
        const result = await work(tx)
        commitSent = true
        return result
      })
    } catch (error) {
      if (commitSent && isConnectionLoss(error))
        throw new CommitAnswerLost('the response to commit was lost', { cause: error })
      if (attempt === ATTEMPTS || !mayRunAgain(error)) throw error
    }
    await delay(retryDelayMs(attempt))
  }
}

const CONFLICTS = new Set(['40001', '40P01'])

const CONNECTION_LOSSES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  // The coordinator's message when it has lost a node of a distributed database.
  '08000',
  '08003',
  '08006',
  // A standby's message while it is being promoted.
  NO_PRIMARY,
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
])

export function isConnectionLoss(error: unknown): boolean {
  return CONNECTION_LOSSES.has(codeOf(error))
}

function mayRunAgain(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error)) || isConnectionLoss(error)
}

/** Half of the delay is random, so that conflicting transactions do not collide again. */
function retryDelayMs(attempt: number): number {
  const stepMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1), LONGEST_RETRY_DELAY_MS)
  return stepMs / 2 + (Math.random() * stepMs) / 2
}
