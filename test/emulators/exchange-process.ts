import { startExchange } from './exchange.ts'

/**
 * The emulated exchange as a process of its own, which a test can freeze: says where it listens, trades all the time, and ends with its
 * parent. Arguments: the time it begins at, and the time between two trades of every market, milliseconds.
 */
const [startMs, everyMs] = process.argv.slice(2).map(Number)
const exchange = await startExchange(startMs === undefined ? {} : { startMs })
setInterval(exchange.market.tradeAll, everyMs)
process.on('disconnect', () => process.exit())
process.send?.({ restUrl: exchange.restUrl, wsUrl: exchange.wsUrl })
