import { useId, useMemo, useState } from 'react'
import type { Market } from '#contract/market.ts'
import { RANGES } from '#contract/query-values.ts'
import { AHEAD } from '#core/forecast/rows.ts'
import { countText, moneyText } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import type { Range } from '#app/api/balance-curve.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { rangeText } from '#app/market/market-text.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { DrawnChart } from '#app/ui/chart-canvas/drawn-chart.tsx'
import { signalOf } from '#core/money/signal.ts'
import { Skeleton } from '#app/ui/frame/section.tsx'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { Change, Money } from '#app/ui/money/money.tsx'
import {
  candleData,
  drawnForecast,
  drawnTimes,
  lengthText,
  nextPrices,
  nextPricesText,
  summaryOf,
  tradesByCandle,
  tradesSentence,
  type Candles,
  type NextPrice,
  type TradesInCandle,
} from './chart-data.ts'

const PANEL = 'price-chart'
const loadDrawing = async () => (await import('#app/ui/chart-canvas/candle-drawing.ts')).drawCandles

export function PriceChart({
  name,
  market,
  candles,
  range,
  onRange,
}: {
  name: string
  market: Market | undefined
  candles: Candles
  range: Range
  onRange: (range: Range) => void
}) {
  const forecast = useMemo(() => (market ? drawnForecast(market) : []), [market])
  const prices = useMemo(() => (market ? nextPrices(market.bots) : []), [market])
  const options = RANGES.map((value) => ({ value, text: rangeText(value) }))
  return (
    <>
      <div id={PANEL} className="min-h-88 pt-3 lg:min-h-112">
        {market ? (
          <CandleChart {...{ name, market, candles, forecast, prices }} />
        ) : (
          <Skeleton className="mx-5 h-80 lg:h-104" />
        )}
      </div>
      <div className="px-3">
        <Tabs
          label={t('Time range')}
          options={options}
          value={range}
          onChange={onRange}
          panelId={PANEL}
        />
      </div>
      {market && (
        <Below market={market} name={name} hasForecast={forecast.length > 0} prices={prices} />
      )}
    </>
  )
}

function CandleChart({
  name,
  market,
  candles,
  forecast,
  prices,
}: {
  name: string
  market: Market
  candles: Candles
  forecast: ReturnType<typeof drawnForecast>
  prices: readonly NextPrice[]
}) {
  const [index, setIndex] = useState<number>()
  const texts = useTexts()
  const trades = useMemo(
    () => tradesByCandle(market.trades, { candles, candleHours: market.candleHours }),
    [market, candles],
  )
  const data = useMemo(() => {
    const lines = prices.map(({ price }) => signalOf(price))
    return candleData(candles, { trades, forecast, prices: lines })
  }, [candles, trades, forecast, prices])
  if (candles.length === 0)
    return (
      <p className="px-5 text-16 text-ink2">{t('This market has no full hour of prices yet.')}</p>
    )
  const chosen = index === undefined ? undefined : candles[Math.min(index, candles.length - 1)]
  const inChosen = chosen && trades.find(({ timeMs }) => timeMs === Date.parse(chosen.at))
  return (
    <>
      <ChartReadout range={market.range} candles={candles} chosen={chosen} trades={inChosen} />
      <DrawnChart
        load={loadDrawing}
        data={data}
        count={candles.length}
        index={index}
        onChoose={setIndex}
        label={texts.sentence(name, { candles, hours: market.candleHours })}
        valueText={chosen ? texts.candle(chosen, inChosen) : t('Latest candle')}
        ticks={texts.ticks(drawnTimes(data))}
      />
    </>
  )
}

function useTexts() {
  const { dayText, momentText, tickText } = useMarketTime()
  return {
    sentence: (name: string, { candles, hours }: { candles: Candles; hours: number }) => {
      const [first, last, summary] = [candles[0], candles.at(-1), summaryOf(candles)]
      if (!first || !last || !summary) return t('{coin}: no prices yet.', { coin: name })
      return t(
        '{coin}, candles of {length}: from {first} on {firstDay} to {last} on {lastDay}, lowest {lowest}, highest {highest}.',
        {
          coin: name,
          length: lengthText(hours),
          first: priceText(first.open),
          firstDay: dayText(first.at),
          last: priceText(last.close),
          lastDay: dayText(last.at),
          lowest: priceText(summary.lowest),
          highest: priceText(summary.highest),
        },
      )
    },
    candle: ({ at, ...candle }: Candles[number], trades: TradesInCandle | undefined) => {
      const [open, high, low, close] = [
        priceText(candle.open),
        priceText(candle.high),
        priceText(candle.low),
        priceText(candle.close),
      ]
      const prices = t('{moment}: open {open}, high {high}, low {low}, close {close}.', {
        moment: momentText(at),
        open,
        high,
        low,
        close,
      })
      return `${prices} ${tradesSentence(trades)}`.trim()
    },
    /** `timesMs`: times of everything drawn, from left to right. */
    ticks: (timesMs: readonly number[]) => {
      const [first = 0, last = 0] = [timesMs[0], timesMs.at(-1)]
      return [first, timesMs[timesMs.length >> 1] ?? 0, last].map((timeMs) =>
        tickText(new Date(timeMs).toISOString(), last - first),
      )
    },
  }
}

function priceText(amount: string): string {
  return moneyText({ amount, precision: 'price' })
}

const HOURS = { hours: countText(AHEAD) }

function Below({
  market,
  name,
  hasForecast,
  prices,
}: {
  market: Market
  name: string
  hasForecast: boolean
  prices: readonly NextPrice[]
}) {
  return (
    <div className="px-5 pt-2">
      <p className="flex flex-wrap justify-between gap-x-4 text-12 text-ink2">
        <span>
          {t('Hollow: rose. Filled: fell.')}{' '}
          <span className="inline-block">
            {t('Each candle covers {length}.', { length: lengthText(market.candleHours) })}
          </span>
          {market.trades.length > 0 && ` ${t('Arrows up: your bots bought. Down: they sold.')}`}
          {` ${nextPricesText(prices)}`}
          {hasForecast && ` ${t('Dashed: range of the next {hours} hours, 8 times in 10.', HOURS)}`}
        </span>
        <MadeWith />
      </p>
      <CandleTable name={name} candles={market.candles} />
    </div>
  )
}

const RANGE_TEXT: Record<Range, string> = {
  '1D': msg('Past day'),
  '1W': msg('Past week'),
  '1M': msg('Past month'),
  '1Y': msg('Past year'),
  All: msg('All time'),
}

/**
 * The prices of the chosen candle or, without one, of the whole range. Always two lines tall, so
 * that the chart does not move.
 */
function ChartReadout({
  range,
  candles,
  chosen,
  trades,
}: {
  range: Range
  candles: Candles
  chosen: Candles[number] | undefined
  trades: TradesInCandle | undefined
}) {
  const { momentText } = useMarketTime()
  const summary = summaryOf(chosen ? [chosen] : candles)
  if (!summary) return null
  const prices = [
    { name: PRICE_NAMES.open, price: chosen?.open },
    { name: PRICE_NAMES.low, price: summary.lowest },
    { name: PRICE_NAMES.high, price: summary.highest },
    { name: PRICE_NAMES.close, price: chosen?.close },
  ]
  return (
    <div className="min-h-14 px-5 text-14 text-ink2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span>{chosen ? momentText(chosen.at) : say(RANGE_TEXT[range])}</span>
        <Change percent={summary.change} className="font-medium" />
        <span>{tradesSentence(trades)}</span>
      </p>
      <dl className="flex flex-wrap gap-x-3">
        {prices.map(({ name, price }) =>
          price === undefined ? null : (
            <div key={name} className="flex gap-1">
              <dt className="capitalize">{say(name)}</dt>
              <dd className="text-ink">
                <Money amount={price} precision="price" />
              </dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}

function CandleTable({ name, candles }: { name: string; candles: Candles }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Button
        look="quiet"
        className="-ml-2"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {open ? t('Hide the table') : t('Show as a table')}
      </Button>
      <div id={id}>{open && <Table name={name} candles={candles} />}</div>
    </>
  )
}

const COLUMNS = ['open', 'high', 'low', 'close'] as const

/** Phones omit the opening price, which is about the close of the candle before. */
const fitOf = (column: (typeof COLUMNS)[number]): string =>
  column === 'open' ? 'max-sm:hidden' : ''

function Table({ name, candles }: { name: string; candles: Candles }) {
  const { momentText } = useMarketTime()
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-right text-14 max-[359px]:text-12">
        <caption className="sr-only">{t('Prices of {coin}, newest first', { coin: name })}</caption>
        <thead>
          <tr className="border-b border-ink">
            <th scope="col" className="py-2 text-left font-medium">
              {t('Opened')}
            </th>
            {COLUMNS.map((column) => (
              <th
                key={column}
                scope="col"
                className={`py-2 pl-2 sm:pl-3 font-medium capitalize ${fitOf(column)}`}
              >
                {say(PRICE_NAMES[column])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">
          {candles.toReversed().map((candle) => (
            <tr key={candle.at}>
              <th scope="row" className="py-2 text-left font-normal text-ink2">
                {momentText(candle.at)}
              </th>
              {COLUMNS.map((column) => (
                <td key={column} className={`py-2 pl-2 sm:pl-3 ${fitOf(column)}`}>
                  <Money amount={candle[column]} precision="price" />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const PRICE_NAMES = {
  open: msg('open'),
  low: msg('low'),
  high: msg('high'),
  close: msg('close'),
}

const NOTICE = 'TradingView Lightweight Charts™, © 2025 TradingView, Inc.'

/** The notice that the license of the chart library requires, with a link to its maker. */
function MadeWith() {
  return (
    <a
      href="https://www.tradingview.com/"
      target="_blank"
      rel="noreferrer"
      className={
        'inline-flex min-h-12 items-center text-12 text-ink2 underline decoration-control ' +
        'underline-offset-[0.2em]'
      }
    >
      {NOTICE}
      <span className="sr-only"> {t('(opens in a new tab)')}</span>
    </a>
  )
}
