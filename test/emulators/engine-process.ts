import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { HOUR_MS } from '#core/market/candle.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { readConfig } from '#server/settings/config.ts'
import { checkBook } from '#server/db/check-book.ts'
import { openDatabase } from '#server/db/open.ts'
import { storedNonces } from '#server/exchange/nonces.ts'
import type { ExchangeAccess } from '#server/exchange/open-exchange.ts'
import { openExchangeAccount } from '#server/exchange/exchange-account.ts'
import { openContext } from '#server/open-context.ts'
import type { BlockOrder } from '#server/ports/venue.ts'
import { openEngine, type Engine } from '#server/trading/engine.ts'
import { exchangeVenue } from '#server/trading/venue-exchange.ts'

/**
 * Points around an order at which the process reports its position and blocks until it is killed.
 */
export type Point = 'written down' | 'sent' | 'filled'

export type EngineOrder = {
  databaseUrl: string
  access: ExchangeAccess
  costs: TradingCosts
  environment: Record<string, string>
  /** Milliseconds by which the exchange's clock is ahead of the machine's. */
  offsetMs: number
  /** Never, if absent. */
  point?: Point
}

/**
 * Messages of the process: an order that is about to be executed at a price, after which it waits
 * for any reply; or the point that it has reached.
 */
export type EngineNews =
  | { quote: { pair: BlockOrder['pair']; price: string } }
  | { stands: Point }
  | { leads: true }

/**
 * The engine as a separate process, at full speed, on the simulated market and the emulated
 * exchange. Ends with its parent.
 */
const { databaseUrl, access, costs, environment, offsetMs, point } = JSON.parse(
  process.argv[2] ?? '',
) as EngineOrder
const tell = (news: EngineNews): void => void process.send?.(news)
process.on('disconnect', () => process.exit())

async function stand(here: Point): Promise<void> {
  if (here !== point) return
  tell({ stands: here })
  await new Promise<never>(() => undefined)
}

const now = () => new Date(Date.now() + offsetMs)
const log = pino({ level: 'silent' })
const sql = await openDatabase(databaseUrl, { poolSize: 4 })
const book = await checkBook(sql, readConfig(environment))
const account = openExchangeAccount(access, { now, nonces: storedNonces({ sql, now }) })
const sending = {
  ...account,
  send: async (order: Parameters<typeof account.send>[0]) => {
    await stand('written down')
    await account.send(order)
    await stand('sent')
  },
}
const exchange = exchangeVenue({
  ...book,
  name: 'Kraken',
  account: sending,
  costs,
  now,
  log,
  lookPauseMs: 5,
})
const context = openContext({
  ...book,
  config: readConfig(environment),
  log,
  costs,
  venue: {
    ...exchange,
    execute: async (order, lead) => {
      const answered = new Promise((resolve) => process.once('message', resolve))
      tell({ quote: { pair: order.pair, price: order.price.toString() } })
      await answered
      const fill = await exchange.execute(order, lead)
      // Only if something was filled: a block left behind before its order was sent is filled with
      // nothing.
      if (fill.quantity > 0n) await stand('filled')
      return fill
    },
  },
})

async function lead(): Promise<Engine> {
  for (;;) {
    // A fault of the exchange at the start: the leader retries, like the real one.
    const engine = await openEngine(context).catch(() => undefined)
    if (engine) return engine
    await delay(50)
  }
}

const engine = await lead()
tell({ leads: true })
for (;;) {
  try {
    await engine.serve()
    await engine.advanceTo(engine.nowMs() + HOUR_MS)
  } catch {
    await delay(50)
  }
}
