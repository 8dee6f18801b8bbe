import { pino } from 'pino'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { stopAll } from '#server/bots/stop-all.ts'
import { readConfig } from '#server/config.ts'
import { openContext } from '#server/open-context.ts'
import { openEngine } from '#server/trading/engine.ts'
import { populate, withDatabase } from './database.ts'
import { median, milliseconds, report } from './report.ts'
import { sawFeed } from './saw-feed.ts'

/**
 * From the call to the answer of stop-all, after which no order buys for these bots, while the
 * engine trades one hour after the other.
 */

const USERS = 60
const BOTS_EACH = 10

export async function run(): Promise<void> {
  await withDatabase(async (sql) => {
    await populate(sql, {
      users: USERS,
      bots: USERS * BOTS_EACH,
      pairs: PAIRS,
      strategies: STRATEGY_KEYS,
      pairsEach: 3,
    })
    const config = readConfig({ SESSION_SECRET: 'x'.repeat(32), MARKET_FEED: 'simulated' })
    const context = openContext({ config, sql, log: pino({ level: 'warn' }), feed: sawFeed(8_760) })
    const engine = await openEngine(context)
    await engine.serve()
    const users = await sql<{ userId: string }[]>`select distinct user_id from trading_bots`
    const times: number[] = []
    const done = new AbortController()
    const trading = (async () => {
      while (!done.signal.aborted) {
        await engine.advanceTo(engine.nowMs() + HOUR_MS)
        await engine.serve(500)
      }
    })()
    for (const { userId } of users) {
      const begin = performance.now()
      await stopAll(context, { userId, params: {}, body: {}, query: {} } as never)
      times.push(performance.now() - begin)
    }
    done.abort()
    await trading
    report({
      name:
        `Stop-all of ${BOTS_EACH} bots of one user, ${users.length} users one after the other ` +
        'while the engine trades, to "no order after"',
      measured: milliseconds(median(times)),
    })
    const slowest = Math.max(...times)
    report({
      name: 'The slowest of them',
      measured: milliseconds(slowest),
      target: { text: 'at most 1 s', met: slowest <= 1_000 },
    })
  })
}
