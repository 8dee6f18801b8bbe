import { setTimeout as delay } from 'node:timers/promises'
import { deleteExpiredSessions } from '#server/auth/expire.ts'
import type { Context } from '#server/context.ts'
import { repayDebts } from '#server/deposits/repay-debts.ts'
import { sweepDeposits } from '#server/deposits/sweep-deposits.ts'
import { checkVenue } from '#server/trading/check-venue.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'

type Job = { name: string; everyMs: number; run: (context: Context) => Promise<void> }

/** Background work. Each job finds its work in the tables, so any number of processes may run it. */
const JOBS: readonly Job[] = [
  { name: 'pay out', everyMs: 500, run: payOut },
  { name: 'repay debts', everyMs: 1_000, run: repayDebts },
  { name: 'sweep deposits', everyMs: 300_000, run: sweepDeposits },
  { name: 'compare the exchange with the book', everyMs: 60_000, run: checkVenue },
  { name: 'delete expired sessions', everyMs: 600_000, run: deleteExpiredSessions },
]

/** Runs every job at its interval until `signal` ends it; a failure is logged and retried at the next interval. */
export async function runJobs(context: Context, signal: AbortSignal): Promise<void> {
  await Promise.all(JOBS.map((job) => repeat(context, job, signal)))
}

async function repeat(context: Context, { name, everyMs, run }: Job, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await run(context)
    } catch (error) {
      context.log.error({ err: error, job: name }, 'a job failed; it will be retried')
    }
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
