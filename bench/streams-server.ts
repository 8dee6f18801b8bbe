import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { TRACE_HOURS, type Prices } from '#contract/market.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { baseOf, PAIRS } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { Hub } from '#server/events/hub.ts'
import { ticksBetween } from '#server/events/price-ticks.ts'
import { wireText } from '#server/events/wire-text.ts'
import { median } from './report.ts'

/**
 * The bench's web process: the product's streams behind a bare HTTP server, so that only the
 * streams use its CPU. Answers requests of its parent process.
 */

/**
 * A minute of events. During the first six, compilation and one garbage collection after opening
 * the streams take up to half the CPU.
 */
const PRICE_EVENTS = 30
const FIRST_EVENTS = 6
/**
 * Half the time between two price events; a bare write is measured in between. Longer than half the
 * hub's pace, so that the hub delays no event.
 */
const HALF_PACE_MS = 1_010
const STRANGERS_EVENTS = 100_000
const STREAMS_OF_A_USER = 2

/** CPU time for each stream and event: all of it, and the part spent in the system. */
type CpuFigures = { mean: number; median: number; system: number }

export type StreamFigures = {
  bytesFast: number
  bytesLive: number
  bytesText: number
  micros: CpuFigures
  microsOfBareWrite: CpuFigures
  microsOfFirst: number
  microsPerStranger: number
  megabytes: number
}

const hub = new Hub()
hub.listenFrom({ past: { life: '1', number: 1n }, next: { life: '1', number: 1n } })
let opened = 0
const responses: ServerResponse[] = []
const server = createServer((_request, response) => {
  const number = (opened += 1)
  const session = {
    id: `session ${number}`,
    userId: `user ${Math.floor(number / STREAMS_OF_A_USER)}`,
  }
  if (!hub.add(response, { session, address: `10.0.${number % 200}.1`, encoding: 'gzip' }))
    return response.writeHead(429).end()
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
  hub.begin(response, undefined)
  responses.push(response)
  return undefined
}).listen(0, '0.0.0.0', 8_192, () =>
  process.send?.({ port: (server.address() as { port: number }).port }),
)

const startMs = Date.UTC(2026, 0, 1)
const candles = new Map(
  PAIRS.map((pair) => [pair, simulatedCandles({ seed: 24, pair, fromMs: startMs, count: 100 })]),
)

/**
 * The answer of `getPrices` at an hour, with a price within it that is `shift` ten-thousandths from
 * the last close.
 */
function pricesAt(hour: number, shift = 0): Prices {
  const closed = TRACE_HOURS + hour
  const ms = startMs + closed * HOUR_MS
  return Object.fromEntries(
    PAIRS.map((pair) => {
      const closes = [...(candles.get(pair)?.close.subarray(closed - TRACE_HOURS, closed) ?? [])]
      const last = closes.at(-1) ?? 0n
      const price = last + (last * BigInt(shift)) / 10_000n
      return [
        baseOf(pair),
        {
          name: ASSET_NAMES[baseOf(pair)],
          price: unitsToDecimal(price, 8),
          change24h: (Number((price * 10_000n) / (closes[0] ?? 1n) - 10_000n) / 100).toFixed(2),
          trace: closes.map((close) => unitsToDecimal(close, 8)),
          at: new Date(ms + shift * 1_000).toISOString(),
          stale: false,
        },
      ]
    }),
  )
}

const eventOf = (before: Prices, now: Prices) =>
  `id: 1764000000000000.123456789\nevent: prices\ndata: ` +
  `${JSON.stringify(ticksBetween(before, now))}\n\n`
const microsOf = ({ user, system }: NodeJS.CpuUsage) => user + system

async function measure(): Promise<StreamFigures> {
  const prices = Array.from({ length: PRICE_EVENTS + 1 }, (_, event) => pricesAt(event * 2))
  hub.send({ name: 'prices', data: prices[0] })
  await delay(2 * HALF_PACE_MS)
  const { events, bare } = await measurePrices(prices)
  const strangers = process.cpuUsage()
  for (let event = 0; event < STRANGERS_EVENTS; event += 1)
    hub.send({
      name: 'balance',
      userIds: [`stranger ${event}`],
      number: BigInt(100 + event),
      past: BigInt(100 + event),
    })
  const strange = microsOf(process.cpuUsage(strangers))
  const fast = eventOf(pricesAt(0), pricesAt(2))
  return {
    bytesFast: wireText(fast).gzip().bytes.length,
    bytesLive: wireText(eventOf(pricesAt(4, 1), pricesAt(4, 3))).gzip().bytes.length,
    bytesText: fast.length,
    micros: figuresOf(events),
    microsOfBareWrite: figuresOf(bare),
    microsOfFirst: figuresOf(events.slice(0, FIRST_EVENTS)).mean,
    microsPerStranger: strange / STRANGERS_EVENTS,
    megabytes: process.memoryUsage().rss / 1_048_576,
  }
}

/**
 * Alternates price events with bare writes of the same bytes to the same sockets, which cost what
 * the machine and Node need in any case. By alternating, both have the same caches, compiled code
 * and load on the machine. All CPU of the process is attributed to one or the other.
 */
async function measurePrices(
  prices: Prices[],
): Promise<{ events: NodeJS.CpuUsage[]; bare: NodeJS.CpuUsage[] }> {
  const { chunk } = wireText(eventOf(pricesAt(0), pricesAt(2))).gzip()
  const sockets = responses.flatMap(({ socket }) => socket ?? [])
  const events: NodeJS.CpuUsage[] = []
  const bare: NodeJS.CpuUsage[] = []
  for (let event = 1; event <= PRICE_EVENTS; event += 1) {
    events.push(
      await cpuOf(() =>
        hub.send({
          name: 'prices',
          data: prices[event],
          number: BigInt(event),
          past: BigInt(event),
        }),
      ),
    )
    bare.push(await cpuOf(() => sockets.forEach((socket) => socket.write(chunk))))
  }
  return { events, bare }
}

async function cpuOf(work: () => void): Promise<NodeJS.CpuUsage> {
  const before = process.cpuUsage()
  work()
  await delay(HALF_PACE_MS)
  return process.cpuUsage(before)
}

function figuresOf(usages: readonly NodeJS.CpuUsage[]): CpuFigures {
  const perStream = usages.map((usage) => microsOf(usage) / responses.length)
  const system =
    usages.reduce((sum, usage) => sum + usage.system, 0) / responses.length / usages.length
  return {
    mean: perStream.reduce((sum, micros) => sum + micros, 0) / usages.length,
    median: median(perStream),
    system,
  }
}

process.on('message', () => void measure().then((figures) => process.send?.({ figures })))
process.on('disconnect', () => process.exit())
