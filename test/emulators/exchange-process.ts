import { startExchange } from './exchange.ts'

/**
 * The emulated exchange as a separate process, which a test can freeze: reports its address, trades
 * continuously, and ends with its parent. Arguments, in milliseconds: its start time, and the
 * interval between two trades of every market.
 */
const [startMs, everyMs] = process.argv.slice(2).map(Number)
const exchange = await startExchange(startMs === undefined ? {} : { startMs })
setInterval(exchange.market.tradeAll, everyMs)
process.on('disconnect', () => process.exit())
process.send?.({ restUrl: exchange.restUrl, wsUrl: exchange.wsUrl })
