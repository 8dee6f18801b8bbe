import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { PAIRS } from '#core/market/pair.ts'
import { readConfig } from '#server/config.ts'
import { openFeed } from '#server/open-context.ts'
import type { LiveMarket } from '#server/ports/feed.ts'
import { withDatabase } from './database.ts'
import { report } from './report.ts'

/**
 * The live feed as it follows an exchange: half a million prices over a real websocket from an
 * exchange in a process of its own, faster than any exchange sends them. Memory is read after a
 * garbage collection, once the candles are loaded and the code is warm.
 */

const UPDATES = Number(process.env['BENCH_UPDATES'] ?? 500_000)
/** Updates before the first reading: memory for code and caches does not count as growth. */
const WARM_UP = Math.max(50_000, Math.round(UPDATES / 10))
/** Closed candles that Kraken returns for a pair. */
const KRAKEN_CANDLES = 719
const MOST_GROWTH = 0.1
/**
 * Interval between two rounds of the exchange, in each of which all of its twelve markets trade.
 */
const ROUND_MS = 1

export async function run(): Promise<void> {
  await withDatabase(async (sql) => {
    const program = fileURLToPath(new URL('../test/emulators/exchange-process.ts', import.meta.url))
    const child = fork(program, [String(Date.now()), String(ROUND_MS)], { stdio: 'inherit' })
    const [urls] = (await once(child, 'message')) as [{ restUrl: string; wsUrl: string }]
    const ended = new AbortController()
    try {
      const config = readConfig({
        SESSION_SECRET: 'x'.repeat(32),
        MARKET_FEED: 'live',
        EXCHANGE_REST_URL: urls.restUrl,
        EXCHANGE_WS_URL: urls.wsUrl,
      })
      const { live } = await openFeed({ config, sql, log: pino({ level: 'warn' }) })
      if (!live) throw new Error('the feed is live')
      const following = live.follow(ended.signal)
      await measure(live)
      ended.abort()
      await following
    } finally {
      ended.abort()
      child.kill('SIGKILL')
    }
  })
}

async function measure(live: LiveMarket): Promise<void> {
  while (live.candleCount() < PAIRS.length * KRAKEN_CANDLES) await delay(100)
  await reach(live, live.report().updates + WARM_UP)
  const [rssBefore, cpuBefore, beganMs, first] = [
    await restingRss(),
    process.cpuUsage(),
    performance.now(),
    live.report().updates,
  ]
  await reach(live, first + UPDATES)
  const updates = live.report().updates - first
  const wallMs = performance.now() - beganMs
  const { user, system } = process.cpuUsage(cpuBefore)
  const growth = (await restingRss()) / rssBefore - 1
  const name = `feed, ${updates.toLocaleString('en')} updates of ${PAIRS.length} pairs`
  report({
    name: `${name}, CPU per update`,
    measured: `${((user + system) / updates).toFixed(1)} µs`,
    ratio: `${Math.round(((user + system) / 1_000 / wallMs) * 100)} % of a core at this pace`,
  })
  report({
    name: `${name}, pace`,
    measured: `${Math.round(updates / (wallMs / 1_000)).toLocaleString('en')} updates/s`,
  })
  report({
    name: `${name}, growth of memory`,
    measured: `${(growth * 100).toFixed(1)} %`,
    ratio: `${Math.round(rssBefore / 1e6)} MB before`,
    target: { text: `< ${MOST_GROWTH * 100} %`, met: growth < MOST_GROWTH },
  })
}

async function reach(live: LiveMarket, updates: number): Promise<void> {
  while (live.report().updates < updates) await delay(20)
}

async function restingRss(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  await delay(200)
  return process.memoryUsage.rss()
}
