import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { TRACE_HOURS, type Prices } from '#contract/market.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { baseOf, PAIRS } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { openHub } from '#server/events/hub.ts'
import { ticksBetween } from '#server/events/price-ticks.ts'
import { wireText } from '#server/events/wire-text.ts'

/** The bench's web process: the product's streams behind a bare HTTP server, so that the CPU is theirs alone. Answers its parent's questions. */

const PRICE_EVENTS = 6
const PACE_MS = 2_000
/** After it, an event has reached all browsers. */
const SETTLE_MS = 500
const STRANGERS_EVENTS = 100_000
const STREAMS_OF_A_USER = 2

export type StreamFigures = { bytesFast: number; bytesLive: number; bytesText: number; microsPerStream: number; systemPerStream: number; microsOfBareWrite: number; microsPerStranger: number; megabytes: number }

const hub = openHub()
hub.listenFrom({ past: { life: '1', number: 1n }, next: { life: '1', number: 1n } })
let opened = 0
const responses: ServerResponse[] = []
const server = createServer((_request, response) => {
  const number = (opened += 1)
  const session = { id: `session ${number}`, userId: `user ${Math.floor(number / STREAMS_OF_A_USER)}` }
  if (!hub.add(response, { session, address: `10.0.${number % 200}.1`, encoding: 'gzip' })) return response.writeHead(429).end()
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
  hub.begin(response, undefined)
  responses.push(response)
  return undefined
}).listen(0, '0.0.0.0', 8_192, () => process.send?.({ port: (server.address() as { port: number }).port }))

const startMs = Date.UTC(2026, 0, 1)
const candles = new Map(PAIRS.map((pair) => [pair, simulatedCandles({ seed: 24, pair, fromMs: startMs, count: 100 })]))

/** The answer of `getPrices` at an hour, with a price within it that is `shift` ten-thousandths from the last close. */
function pricesAt(hour: number, shift = 0): Prices {
  const closed = TRACE_HOURS + hour
  const ms = startMs + closed * HOUR_MS
  return Object.fromEntries(PAIRS.map((pair) => {
    const closes = [...(candles.get(pair)?.close.subarray(closed - TRACE_HOURS, closed) ?? [])]
    const last = closes.at(-1) ?? 0n
    const price = last + (last * BigInt(shift)) / 10_000n
    return [baseOf(pair), { name: ASSET_NAMES[baseOf(pair)], price: unitsToDecimal(price, 8), change24h: (Number((price * 10_000n) / (closes[0] ?? 1n) - 10_000n) / 100).toFixed(2), trace: closes.map((close) => unitsToDecimal(close, 8)), at: new Date(ms + shift * 1_000).toISOString(), stale: false }]
  }))
}

const eventOf = (before: Prices, now: Prices) => `id: 1764000000000000.123456789\nevent: prices\ndata: ${JSON.stringify(ticksBetween(before, now))}\n\n`
const microsOf = ({ user, system }: NodeJS.CpuUsage) => user + system

async function measure(): Promise<StreamFigures> {
  const streams = hub.size()
  const prices = Array.from({ length: PRICE_EVENTS + 1 }, (_, event) => pricesAt(event * 2))
  hub.send({ name: 'prices', data: prices[0] })
  await delay(PACE_MS + 500)
  let spent = { user: 0, system: 0 }
  for (let event = 1; event <= PRICE_EVENTS; event += 1) {
    const before = process.cpuUsage()
    hub.send({ name: 'prices', data: prices[event], number: BigInt(event), past: BigInt(event) })
    await delay(SETTLE_MS)
    const { user, system } = process.cpuUsage(before)
    spent = { user: spent.user + user, system: spent.system + system }
    await delay(PACE_MS - SETTLE_MS + 50)
  }
  const bare = await measureBareWrites(Buffer.alloc(wireText(eventOf(pricesAt(0), pricesAt(2))).gzip().bytes.length))
  const strangers = process.cpuUsage()
  for (let event = 0; event < STRANGERS_EVENTS; event += 1) hub.send({ name: 'balance', userIds: [`stranger ${event}`], number: BigInt(100 + event), past: BigInt(100 + event) })
  const strange = microsOf(process.cpuUsage(strangers))
  const fast = eventOf(pricesAt(0), pricesAt(2))
  return {
    bytesFast: wireText(fast).gzip().bytes.length,
    bytesLive: wireText(eventOf(pricesAt(4, 1), pricesAt(4, 3))).gzip().bytes.length,
    bytesText: fast.length,
    microsPerStream: microsOf(spent) / PRICE_EVENTS / streams,
    systemPerStream: spent.system / PRICE_EVENTS / streams,
    microsOfBareWrite: bare,
    microsPerStranger: strange / STRANGERS_EVENTS,
    megabytes: process.memoryUsage().rss / 1_048_576,
  }
}

/** The same number of bytes written to the same sockets, without HTTP or anything of ours: what the machine takes in any case. */
async function measureBareWrites(bytes: Buffer): Promise<number> {
  const before = process.cpuUsage()
  for (let event = 0; event < PRICE_EVENTS; event += 1) {
    for (const { socket } of responses) socket?.write(bytes)
    await delay(SETTLE_MS)
  }
  return microsOf(process.cpuUsage(before)) / PRICE_EVENTS / responses.length
}

process.on('message', () => void measure().then((figures) => process.send?.({ figures })))
process.on('disconnect', () => process.exit())
