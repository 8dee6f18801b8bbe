import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { openCandleArchive } from '#server/market/candle-archive.ts'
import { liveFeed } from '#server/market/feed-live.ts'
import { createTestDatabase } from '../world/database.ts'
import { createExchangeState } from '../emulators/exchange-state.ts'
import { until } from '../faults/processes.ts'
import { candleFaults } from './candles.ts'
import { closedPairs, FAST } from './live.ts'

const HOUR = Date.UTC(2026, 2, 10, 15)
/** The hour closes while the exchange is frozen. */
const BEFORE_MS = 12_000
const FROZEN_MS = 5_000
const TIMINGS = { ...FAST, expectedIntervalMs: 2_000, graceMs: 60_000 }

test('an exchange that hangs is detected, and no candle is missing after it resumes', async () => {
  const beganMs = Date.now()
  const offsetMs = HOUR - BEFORE_MS - beganMs
  const now = () => new Date(Date.now() + offsetMs)
  const program = fileURLToPath(new URL('../emulators/exchange-process.ts', import.meta.url))
  const child = fork(program, [String(HOUR - BEFORE_MS), '100'], { stdio: 'inherit' })
  const database = await createTestDatabase()
  const ended = new AbortController()
  try {
    const [urls] = (await once(child, 'message')) as [{ restUrl: string; wsUrl: string }]
    const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
    const store = await openCandleArchive(database.sql, log)
    const { live } = liveFeed({
      access: { name: 'kraken', ...urls, rateLimitMs: 2 },
      isPaper: true,
      store,
      log,
      now,
      random: () => 0,
      timings: TIMINGS,
    })
    if (!live) throw new Error('the feed is live')
    const following = live.follow(ended.signal)
    const isComplete = () => PAIRS.every(live.isOpen)
    await until(isComplete, { timeoutMs: 180_000, complaint: () => closedPairs({ live }).join() })

    child.kill('SIGSTOP')
    const staleMs = await until(() => closedPairs({ live }).length === PAIRS.length, {
      timeoutMs: 180_000,
      complaint: () => 'prices stayed fresh',
    })
    console.log(
      `frozen: prices stale after ${(staleMs / TIMINGS.expectedIntervalMs).toFixed(2)} ` +
        'expected intervals',
    )
    expect(staleMs).toBeLessThanOrEqual(3 * TIMINGS.expectedIntervalMs)
    await until(() => now().getTime() > HOUR + 1_000, {
      timeoutMs: BEFORE_MS + FROZEN_MS,
      complaint: () => 'the hour did not close',
    })
    await delay(FROZEN_MS - BEFORE_MS / 4)
    child.kill('SIGCONT')

    const backMs = await until(isComplete, {
      timeoutMs: 180_000,
      complaint: () => JSON.stringify(live.report()),
    })
    const faults = candleFaults(
      { exchange: createExchangeState(), store },
      { fromMs: HOUR - 700 * HOUR_MS, untilMs: HOUR },
    )
    console.log(
      `thawed: whole again after ${Math.round(backMs)} ms, ${live.report().reconnects} ` +
        `reconnects, ${faults.length} candles lost, doubled or wrong`,
    )
    expect(faults).toEqual([])
    ended.abort()
    await following
  } finally {
    ended.abort()
    child.kill('SIGKILL')
    await database.drop()
  }
})
