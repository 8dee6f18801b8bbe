import { setTimeout as delay } from 'node:timers/promises'
import { deleteExpiredSessions } from '#server/auth/session.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { runPlans } from '#server/bots/run-plans.ts'
import type { Context } from '#server/context.ts'
import { repayDebts } from '#server/deposits/repay-debts.ts'
import { sweepDeposits } from '#server/deposits/sweep-deposits.ts'
import { recordRangeDay } from '#server/market/range-days.ts'
import { reportLosses } from '#server/notices/report-losses.ts'
import { sendDigests } from '#server/notices/send-digests.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { prepareResets } from '#server/auth/request-reset.ts'
import { eraseByTime } from '#server/rights/erase-by-time.ts'
import { reportFirstTrades } from '#server/trading/report-first-trades.ts'
import { checkBookSeals, printHead, sealNow } from '#server/ledger/guard-seals.ts'
import { checkVenue } from '#server/trading/check-venue.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'

type Job = { name: string; everyMs: number; run: Run }
type Run = (context: Context, signal: AbortSignal) => Promise<void>

/**
 * Background work. Each job finds its work in the tables, so any number of processes may run it.
 */
const JOBS: readonly Job[] = [
  { name: 'pay out', everyMs: 500, run: payOut },
  { name: 'repay debts', everyMs: 1_000, run: repayDebts },
  { name: 'sweep deposits', everyMs: 300_000, run: sweepDeposits },
  { name: 'compare the exchange with the book', everyMs: 60_000, run: checkVenue },
  { name: 'prepare links to new passwords', everyMs: 500, run: prepareResets },
  { name: 'deliver mail', everyMs: 500, run: (context) => deliverNotices(context, 'mail') },
  {
    name: 'deliver push messages',
    everyMs: 500,
    run: (context) => deliverNotices(context, 'push'),
  },
  {
    name: 'deliver to webhooks',
    everyMs: 500,
    run: (context, signal) => deliverNotices(context, 'webhook', { signal }),
  },
  { name: 'run plans', everyMs: 1_000, run: runPlans },
  { name: 'report first trades', everyMs: 2_000, run: reportFirstTrades },
  { name: 'record the ranges of a day', everyMs: 60_000, run: recordRangeDay },
  { name: 'report losses', everyMs: 60_000, run: reportLosses },
  { name: 'send weekly digests', everyMs: 600_000, run: sendDigests },
  { name: 'seal the book', everyMs: 60_000, run: sealNow },
  { name: 'check the seals', everyMs: HOUR_MS, run: checkBookSeals },
  { name: 'print the head of the seals', everyMs: DAY_MS, run: printHead },
  { name: 'delete expired sessions', everyMs: 600_000, run: deleteExpiredSessions },
  { name: 'erase what is no longer needed', everyMs: 6 * 3_600_000, run: eraseByTime },
]

/**
 * Runs every job at its interval until `signal` ends it; a failure is logged and retried at the
 * next interval.
 */
export async function runJobs(context: Context, signal: AbortSignal): Promise<void> {
  await Promise.all(JOBS.map((job) => repeat(context, job, signal)))
}

async function repeat(
  context: Context,
  { name, everyMs, run }: Job,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await run(context, signal)
    } catch (error) {
      context.log.error({ err: error, job: name }, 'a job failed; it will be retried')
    }
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
