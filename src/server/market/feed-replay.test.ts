import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { candleAt } from '#core/market/candle-series.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { replayFeed } from './feed-replay.ts'

type Row = { ms: number; s: number; o: string; h: string; l: string; c: string; v: string }

/** Binance, BTC/USDT, 29 December 2020 from 21:00 to 24:00 UTC. */
const HOURS: readonly Row[] = [
  [1_609_275_600, '26990.00', '27200.87', '26820.38', '26913.12', '3772.22030700'] as const,
  [1_609_279_200, '26911.36', '27117.00', '26893.78', '27048.32', '1592.31929400'] as const,
  [1_609_282_800, '27048.34', '27410.00', '26945.57', '27385.00', '3514.18197000'] as const,
].map(([s, o, h, l, c, v]) => ({ s, ms: s * 1_000, o, h, l, c, v }))

const NEWEST_FIRST = HOURS.toReversed()
const csv = (row: (one: Row) => readonly (string | number)[], rows = HOURS, head: string[] = []) =>
  [...head, ...rows.map((one) => row(one).join())].join('\n')
/** JSON as exchanges send it: `row` is an array or an object, with numbers as they are here. */
const json = (row: (one: Row) => string, rows = HOURS) => `[${rows.map(row).join()}]`
const iso = ({ ms }: Row) => new Date(ms).toISOString()
const day = ({ ms }: Row) => `2020-12-${30 - (1_609_282_800_000 - ms) / 3_600_000}`

/** Where each layout is described. */
const CCXT = 'https://github.com/ccxt/ccxt/blob/master/ts/src'
const BINANCE = 'https://github.com/binance/binance-public-data'
const KRAKEN = 'https://support.kraken.com/hc/en-us/articles/360047124832'

type Layout = [name: string, source: string, text: string | Buffer, file?: string]

const binance = (one: Row, zeros = ''): (string | number)[] => [
  `${one.ms}${zeros}`,
  one.o,
  one.h,
  one.l,
  one.c,
  one.v,
  `${one.ms + 3_599_999}${zeros}`,
  '95653602.3',
  64_719,
  '1800.5',
  '49000000.1',
  0,
]
const freqtrade = json(({ ms, o, h, l, c, v }) => `[${[ms, o, h, l, c, v].join(', ')}]`)

const READ: readonly Layout[] = [
  ['Binance, files until 2024', BINANCE, csv((one) => binance(one))],
  ['Binance, files since 2025, in microseconds', BINANCE, csv((one) => binance(one, '000'))],
  [
    'Binance, API',
    `${CCXT}/binance.ts`,
    json(({ ms, o, h, l, c, v }) => `[${ms},"${o}","${h}","${l}","${c}","${v}",${ms},"9",4,"0"]`),
  ],
  ['Kraken, files', KRAKEN, csv(({ s, o, h, l, c, v }) => [s, o, h, l, c, v, 64_719])],
  [
    'Kraken, API',
    `${CCXT}/kraken.ts`,
    `{"error":[],"result":{"XBTUSDT":${json(
      ({ s, o, h, l, c, v }) => `[${s},"${o}","${h}","${l}","${c}","${c}","${v}",5]`,
    )},"last":1609282800}}`,
  ],
  [
    'Kraken, websocket 2',
    'https://docs.kraken.com/api/docs/websocket-v2/ohlc',
    json(
      (one) =>
        `{"symbol":"BTC/USDT","open":${one.o},"high":${one.h},"low":${one.l},"close":${one.c},` +
        `"vwap":1.5,"trades":3,"volume":2.5,"interval_begin":"${iso(one)}","interval":60}`,
    ),
  ],
  [
    'CryptoDataDownload',
    'https://www.cryptodatadownload.com/data/binance/',
    csv(
      (one) => [one.ms, iso(one).slice(0, 19), 'BTC/USDT', one.o, one.h, one.l, one.c, one.v, 1, 2],
      NEWEST_FIRST,
      [
        'https://www.CryptoDataDownload.com',
        'unix,date,symbol,open,high,low,close,Volume BTC,Volume USDT,tradecount',
      ],
    ),
  ],
  [
    'CryptoDataDownload, older files',
    'https://www.cryptodatadownload.com/data/',
    csv(
      (one) => [
        `2020-12-29 ${String(Number(iso(one).slice(11, 13)) - 12).padStart(2, '0')}-PM`,
        'BTCUSDT',
        one.o,
        one.h,
        one.l,
        one.c,
        one.v,
        '1.5',
      ],
      NEWEST_FIRST,
      [
        'https://www.CryptoDataDownload.com',
        'Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD',
      ],
    ),
  ],
  [
    'Coinbase Exchange, API',
    'https://docs.cdp.coinbase.com/api-reference/exchange-api/rest-api/products/get-product-candles',
    json(({ s, o, h, l, c, v }) => `[${[s, l, h, o, c, v].join()}]`, NEWEST_FIRST),
  ],
  [
    'Coinbase Exchange, rows saved as CSV',
    'https://docs.cdp.coinbase.com/api-reference/exchange-api/rest-api/products/get-product-candles',
    csv(({ s, o, h, l, c, v }) => [s, l, h, o, c, v], NEWEST_FIRST),
  ],
  [
    'Coinbase Advanced, API',
    `${CCXT}/coinbase.ts`,
    `{"candles":${json(
      ({ s, o, h, l, c, v }) =>
        `{"start":"${s}","low":"${l}","high":"${h}","open":"${o}","close":"${c}","volume":"${v}"}`,
      NEWEST_FIRST,
    )}}`,
  ],
  [
    'Bitstamp, API',
    `${CCXT}/bitstamp.ts`,
    `{"data":{"pair":"BTC/USD","ohlc":${json(
      ({ s, o, h, l, c, v }) =>
        `{"high":"${h}","timestamp":"${s}","volume":"${v}","low":"${l}","close":"${c}",` +
        `"open":"${o}"}`,
    )}}}`,
  ],
  [
    'Gemini, API',
    `${CCXT}/gemini.ts`,
    json(({ ms, o, h, l, c, v }) => `[${[ms, o, h, l, c, v].join()}]`, NEWEST_FIRST),
  ],
  [
    'Bitfinex, API',
    `${CCXT}/bitfinex.ts`,
    json(({ ms, o, h, l, c, v }) => `[${[ms, o, c, h, l, v].join()}]`, NEWEST_FIRST),
  ],
  [
    'OKX, API',
    `${CCXT}/okx.ts`,
    `{"code":"0","msg":"","data":${json(
      ({ ms, o, h, l, c, v }) => `["${[ms, o, h, l, c, v, v, '9', 1].join('","')}"]`,
      NEWEST_FIRST,
    )}}`,
  ],
  [
    'Bybit, API',
    `${CCXT}/bybit.ts`,
    `{"retCode":0,"result":{"category":"spot","symbol":"BTCUSDT","list":${json(
      ({ ms, o, h, l, c, v }) => `["${[ms, o, h, l, c, v, '9.5'].join('","')}"]`,
      NEWEST_FIRST,
    )}},"retExtInfo":{}}`,
  ],
  [
    'KuCoin, API',
    `${CCXT}/kucoin.ts`,
    `{"code":"200000","data":${json(
      ({ s, o, h, l, c, v }) => `["${[s, o, c, h, l, v, '9.5'].join('","')}"]`,
      NEWEST_FIRST,
    )}}`,
  ],
  [
    'Gate, API',
    `${CCXT}/gate.ts`,
    json(({ s, o, h, l, c, v }) => `["${[s, '101522134.5', c, h, l, o, v, 'true'].join('","')}"]`),
  ],
  [
    'HTX, API',
    `${CCXT}/htx.ts`,
    `{"status":"ok","ts":1609286400123,"data":${json(
      ({ s, o, h, l, c, v }) =>
        `{"id":${s},"open":${o},"close":${c},"low":${l},"high":${h},"amount":${v},"vol":9.5}`,
      NEWEST_FIRST,
    )}}`,
  ],
  [
    'Bitget, API',
    `${CCXT}/bitget.ts`,
    `{"code":"00000","data":${json(
      ({ ms, o, h, l, c, v }) => `["${[ms, o, h, l, c, v, '9.5', '9.5'].join('","')}"]`,
    )}}`,
  ],
  [
    'HitBTC, API',
    `${CCXT}/hitbtc.ts`,
    json(
      (one) =>
        `{"timestamp":"${iso(one)}","open":"${one.o}","close":"${one.c}","min":"${one.l}",` +
        `"max":"${one.h}","volume":"${one.v}"}`,
    ),
  ],
  [
    'Upbit, API, which adds the time of the last trade',
    `${CCXT}/upbit.ts`,
    json(
      (one) =>
        `{"market":"USDT-BTC","candle_date_time_utc":"${iso(one).slice(0, 19)}",` +
        `"candle_date_time_kst":"2020-12-30T06:00:00","opening_price":${one.o},` +
        `"high_price":${one.h},"low_price":${one.l},"trade_price":${one.c},` +
        `"timestamp":${one.ms + 3_598_123},"unit":60}`,
      NEWEST_FIRST,
    ),
  ],
  [
    'Crypto.com, API',
    `${CCXT}/cryptocom.ts`,
    `{"id":-1,"code":0,"result":{"interval":"1h","data":${json(
      ({ ms, o, h, l, c, v }) =>
        `{"o":"${o}","h":"${h}","l":"${l}","c":"${c}","v":"${v}","t":${ms}}`,
    )}}}`,
  ],
  [
    'Hyperliquid, API, where T is the time of the close',
    `${CCXT}/hyperliquid.ts`,
    json(
      ({ ms, o, h, l, c, v }) =>
        `{"T":${ms + 3_599_999},"c":"${c}","h":"${h}","i":"1h","l":"${l}","n":46,"o":"${o}",` +
        `"s":"BTC","t":${ms},"v":"${v}"}`,
    ),
  ],
  [
    'CoinEx, API',
    `${CCXT}/coinex.ts`,
    `{"code":0,"data":${json(
      ({ ms, o, h, l, c, v }) =>
        `{"close":"${c}","created_at":${ms},"high":"${h}","low":"${l}","market":"BTCUSDT",` +
        `"open":"${o}","value":"1.5","volume":"${v}"}`,
    )}}`,
  ],
  [
    'Polygon, API',
    'https://massive.com/docs/rest/crypto/aggregates/custom-bars',
    `{"ticker":"X:BTCUSD","results":${json(
      ({ ms, o, h, l, c, v }) =>
        `{"v":${v},"vw":26990.5,"o":${o},"c":${c},"h":${h},"l":${l},"t":${ms},"n":9}`,
    )},"status":"OK"}`,
  ],
  [
    'CryptoCompare, API',
    'https://min-api.cryptocompare.com/documentation?key=Historical&cat=dataHistohour',
    `{"Response":"Success","RateLimit":{},"Data":{"Aggregated":false,"Data":${json(
      ({ s, o, h, l, c, v }) =>
        `{"time":${s},"high":${h},"low":${l},"open":${o},"volumefrom":${v},"close":${c}}`,
    )}}}`,
  ],
  [
    'CoinAPI',
    'https://quicknode.com/docs/ethereum/crypto-market-data-api/v1-getHistoricalOHLCV',
    json(
      (one) =>
        `{"time_period_start":"${iso(one).slice(0, 19)}.0000000Z",` +
        `"time_period_end":"2020-12-30T00:00:00.0000000Z",` +
        `"time_open":"2020-12-29T21:00:07.1230000Z","time_close":"2020-12-29T21:59:58.1Z",` +
        `"price_open":${one.o},"price_high":${one.h},"price_low":${one.l},` +
        `"price_close":${one.c},"volume_traded":${one.v},"trades_count":9}`,
    ),
  ],
  [
    'Kaiko, files',
    'https://docs.kaiko.com/cloud-delivery/data-feeds/level-1-aggregations',
    csv(({ ms, o, h, l, c, v }) => [ms, o, h, l, c, v]),
  ],
  ['freqtrade, json', 'https://www.freqtrade.io/en/stable/data-download/', freqtrade],
  [
    'freqtrade, jsongz',
    'https://www.freqtrade.io/en/stable/data-download/',
    gzipSync(freqtrade),
    'BTC_USDT-1h.json.gz',
  ],
  [
    'Jesse, rows',
    'https://github.com/jesse-ai/jesse/blob/master/jesse/services/candle_service.py',
    csv(({ ms, o, h, l, c, v }) => [`${ms}.0`, o, c, h, l, v]),
  ],
  [
    'ccxt, rows saved by pandas with their index',
    'https://docs.ccxt.com/#/README?id=ohlcv-structure',
    csv((one) => [0, iso(one).slice(0, 19).replace('T', ' '), one.o, one.h, one.l, one.c], HOURS, [
      ',timestamp,open,high,low,close',
    ]),
  ],
  [
    'TradingView, export with ISO times',
    'https://www.tradingview.com/support/solutions/43000537255/',
    csv((one) => [`${iso(one).slice(0, 19)}Z`, one.o, one.h, one.l, one.c, one.v], HOURS, [
      'time,open,high,low,close,Volume',
    ]),
  ],
  [
    'TradingView, export in the zone of the chart',
    'https://www.tradingview.com/support/solutions/43000537255/',
    csv(
      ({ ms, o, h, l, c, v }) => [
        `${new Date(ms + 3_600_000).toISOString().slice(0, 19)}+01:00`,
        o,
        h,
        l,
        c,
        v,
      ],
      HOURS,
      ['time,open,high,low,close,Volume'],
    ),
  ],
  [
    'a German spreadsheet with decimal points',
    'https://support.microsoft.com/office/5250ac4c-663c-47ce-937b-339e391393ba',
    `\uFEFFZeit;time;open;high;low;close\r\n${HOURS.map(({ s, o, h, l, c }) =>
      ['x', s, `"${o}"`, h, l, c].join(';'),
    ).join('\r\n')}\r\n`,
  ],
]

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'feed-replay-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function open(text: string | Buffer, file = 'BTCUSDT-1h.csv') {
  const folder = await mkdtemp(join(directory, 'folder-'))
  await writeFile(join(folder, file), text)
  const nowMs = Date.UTC(2026, 0, 1)
  const candles = () =>
    replayFeed({ directory: folder, startMs: undefined, nowMs }).candles({
      pair: 'BTC/USDT',
      fromMs: 0,
      toMs: nowMs,
    })
  return { candles, path: join(folder, file) }
}

test.each(READ)('%s (%s)', async (_name, _source, text, file) => {
  const series = (await open(text, file)).candles()
  expect(Array.from({ length: series.length }, (_, at) => candleAt(series, at))).toEqual(
    HOURS.map(({ ms, o, h, l, c }) => ({
      openTimeMs: ms,
      open: decimalToUnits(o),
      high: decimalToUnits(h),
      low: decimalToUnits(l),
      close: decimalToUnits(c),
    })),
  )
})

const binary = (start: string) => Buffer.concat([Buffer.from(start), Buffer.alloc(200, 7)])
const apart = (lengthMs: number, count = 30) =>
  Array.from({ length: count }, (_, at) => `${1_609_275_600_000 + at * lengthMs},9,9,9,9,1`)
const DAY = 86_400_000
const NAMED = 'Date,Open,High,Low,Close,Adj Close,Volume'
const CLOSES = 'candle 1: the times are those of closes; use candles with the times of their opens.'
const tardis = (one: Row) =>
  `{"type":"trade_bar","symbol":"BTCUSDT","name":"trade_bar_1h","interval":3600000,` +
  `"open":${one.o},"high":${one.h},"low":${one.l},"close":${one.c},"volume":${one.v},` +
  `"openTimestamp":"2020-12-29T21:00:00.123Z","closeTimestamp":"2020-12-29T21:59:59.123Z",` +
  `"timestamp":"${new Date(one.ms + 3_600_000).toISOString()}"}`

type Refused = [name: string, source: string, text: string | Buffer, sentence: string]

test.each<Refused>([
  [
    'Binance, as it is downloaded',
    BINANCE,
    binary('PK\u0003\u0004'),
    ' is a zip archive: unpack it, and join its files to one.',
  ],
  [
    'freqtrade, feather',
    'https://www.freqtrade.io/en/stable/data-download/',
    binary('ARROW1'),
    ' is a Feather file: convert it to CSV or JSON.',
  ],
  [
    'freqtrade, parquet',
    'https://www.freqtrade.io/en/stable/data-download/',
    binary('PAR1'),
    ' is a Parquet file: convert it to CSV.',
  ],
  [
    'Kraken, files of days',
    KRAKEN,
    apart(DAY).join('\n'),
    ' holds candles of 1 day; hourly candles are needed: download it with the interval 1h.',
  ],
  [
    'Binance, files of minutes',
    BINANCE,
    apart(60_000).join('\n'),
    ' holds candles of 1 minute; hourly candles are needed: download it with the interval 1h.',
  ],
  [
    'Yahoo Finance',
    'https://finance.yahoo.com/quote/BTC-USD/history/',
    csv((one) => [day(one), one.o, one.h, one.l, one.c, one.c, 1], HOURS, [NAMED]),
    ' holds candles of 1 day; hourly candles are needed: download it with the interval 1h.',
  ],
  [
    'CoinMarketCap',
    'https://coinmarketcap.com/currencies/bitcoin/historical-data/',
    [
      'timeOpen;timeClose;timeHigh;timeLow;name;open;high;low;close;volume;marketCap;timestamp',
      ...HOURS.map((one) =>
        [
          `"${day(one)}T00:00:00.000Z"`,
          `"${day(one)}T23:59:59.999Z"`,
          `"x";"x";"2781";${one.o};${one.h};${one.l};${one.c};1;1;"x"`,
        ].join(';'),
      ),
    ].join('\n'),
    ' holds candles of 1 day; hourly candles are needed: download it with the interval 1h.',
  ],
  [
    'Investing.com',
    'https://www.investing.com/crypto/bitcoin/historical-data',
    '"Date","Price","Open","High","Low","Vol.","Change %"\n' +
      '"12/29/2020","27,385.0","26,838.1","27,410.0","26,000.1","134.90K","2.03%"',
    ', line 2: 12/29/2020 is no time such as 1735689600 or 2025-01-31 14:00.',
  ],
  [
    'TradingView, seeds',
    'https://github.com/tradingview-pine-seeds/docs/blob/main/data.md',
    '20210101T,0.1,0.1,0.1,0.1,0',
    ', line 1: 20210101T is no time such as 1735689600 or 2025-01-31 14:00.',
  ],
  [
    'MetaStock, with date and time apart',
    'https://doc.stocksharp.com/topics/hydra/working_with_data/export_data.html',
    '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>\nBTC,60,20201229,210000,9,9,9,9,1',
    ', line 2: 210000 is no time such as 1735689600 or 2025-01-31 14:00.',
  ],
  [
    'CoinGecko, API',
    'https://docs.coingecko.com/reference/coins-id-ohlc',
    json(({ ms, o, h, l, c }) => `[${[ms, o, h, l, c].join()}]`),
    `, ${CLOSES}`,
  ],
  [
    'CoinGecko, files',
    'https://www.coingecko.com/en/coins/bitcoin/historical_data',
    'snapped_at,price,market_cap,total_volume\n2020-12-29 00:00:00 UTC,27062.1,1,2',
    ': no column is named time, open, high, low. The columns are ' +
      'snapped_at,price,market_cap,total_volume; name them time,open,high,low,close.',
  ],
  [
    'Tardis, trade bars',
    'https://github.com/tardis-dev/tardis-node/blob/master/src/computable/tradebar.ts',
    HOURS.map(tardis).join('\n'),
    ' has a JSON text on each line: join them to one list, [ , ].',
  ],
  [
    'Tardis, trade bars as one list',
    'https://github.com/tardis-dev/tardis-node/blob/master/src/computable/tradebar.ts',
    json(tardis),
    `, ${CLOSES}`,
  ],
  [
    'Poloniex, with the time at the end',
    `${CCXT}/poloniex.ts`,
    json(({ ms, o, h, l, c }) => `["${l}","${h}","${o}","${c}","1","2","3","4",5,0,"6","H",${ms}]`),
    ', candle 1: 26820.38 is no time such as 1735689600 or 2025-01-31 14:00.',
  ],
  [
    'Binance, trades',
    BINANCE,
    '0,0.20000000,50.00000000,0,0,1735689600010866,False,True',
    ', line 1: 0 is no time such as 1735689600 or 2025-01-31 14:00.',
  ],
  [
    'a German spreadsheet with decimal commas',
    'https://support.microsoft.com/office/5250ac4c-663c-47ce-937b-339e391393ba',
    'time;open;high;low;close\n1609275600;26990,00;27200,87;26820,38;26913,12',
    ', line 2: a price of 1609275600,26990,00,27200,87,26820,38,26913,12 is not a plain ' +
      'decimal of at most 11 digits and 8 places.',
  ],
])('%s is refused (%s)', async (_name, _source, text, sentence) => {
  const { candles, path } = await open(text)
  expect(candles).toThrow(
    expect.objectContaining({ name: 'StartupError', message: `${path}${sentence}` }),
  )
})

test.each<[string, string | Buffer, string]>([
  [
    'a line of a megabyte',
    `1609275600,${'9'.repeat(1e6)}`,
    ', line 1: the line is too long for a candle.',
  ],
  [
    'a gzip of a hundred megabytes',
    gzipSync(Buffer.alloc(1e8, '9')),
    ' has more than 64 MB of text, too much for hourly candles.',
  ],
  [
    'JSON a hundred thousand levels deep',
    `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
    ' is not valid JSON.',
  ],
  ['JSON with NaN', '[[1609275600000,NaN,1,1,1,1]]', ' is not valid JSON.'],
  ['JSON without candles', '{"error":["EGeneral"]}', ' has no list of candles in its JSON.'],
  [
    'columns in place of rows',
    '{"t":[1609275600],"o":[9]}',
    ' has no list of candles in its JSON.',
  ],
  [
    'days behind hours',
    [...apart(3_600_000), ...apart(DAY, 60).slice(2)].join('\n'),
    ' holds candles of 1 day beside hourly ones; hourly candles are needed: download it with ' +
      'the interval 1h.',
  ],
  [
    'minutes behind hours',
    [...apart(3_600_000, 60), ...apart(60_000).map((line) => line.replace('1609', '1619'))].join(
      '\n',
    ),
    ', line 61: the candle does not open at a whole hour.',
  ],
  [
    'one candle, perhaps of a day',
    apart(DAY, 1).join('\n'),
    ' holds one candle, which may be of any length; hourly candles are needed: download it ' +
      'with the interval 1h.',
  ],
  [
    'newest first, one of them twice',
    [...apart(3_600_000), ...apart(3_600_000).slice(-1)].toReversed().join('\n'),
    ', line 1: the candle repeats the hour 2020-12-31 02:00.',
  ],
  [
    'rows that fit two orders',
    csv(({ s, o, h, l, c }) => [s, o, c, h, l, c]),
    ' has no names of columns, and its prices fit two orders: add a first line such as ' +
      'time,open,high,low,close.',
  ],
  [
    'the thirtieth of February',
    '2020-02-30 10:00,9,9,9,9,1',
    ', line 1: 2020-02-30 10:00 is no time such as 1735689600 or 2025-01-31 14:00.',
  ],
])('%s: refused', async (_name, text, sentence) => {
  const { candles, path } = await open(text)
  expect(candles).toThrow(
    expect.objectContaining({ name: 'StartupError', message: `${path}${sentence}` }),
  )
})

test('holes are not filled, even if several have the same length', async () => {
  const lines = [...apart(3_600_000), ...apart(7_200_000).slice(15, 24)]
  expect((await open(lines.join('\n'))).candles().length).toBe(lines.length)
})
