import { useMemo, useState } from 'react'
import type { Market } from '#contract/market.ts'
import { RANGES } from '#contract/query-values.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import type { Range } from '#app/api/queries.ts'
import { MadeWith } from '#app/ui/chart-canvas/made-with.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { rangeText } from '#app/market/range-text.ts'
import { DrawnChart } from '#app/ui/chart-canvas/drawn-chart.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { CandleTable } from './candle-table.tsx'
import {
  candleData,
  lengthText,
  summaryOf,
  tradesByCandle,
  tradesSentence,
  type Candles,
  type TradesInCandle,
} from './chart-data.ts'
import { ChartReadout } from './chart-readout.tsx'

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
  const options = RANGES.map((value) => ({ value, text: rangeText(value) }))
  return (
    <>
      <div id={PANEL} className="min-h-88 pt-3 lg:min-h-112">
        {market ? (
          <CandleChart name={name} market={market} candles={candles} />
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
      {market && <Below market={market} name={name} />}
    </>
  )
}

function CandleChart({
  name,
  market,
  candles,
}: {
  name: string
  market: Market
  candles: Candles
}) {
  const [index, setIndex] = useState<number>()
  const texts = useTexts()
  const trades = useMemo(
    () => tradesByCandle(market.trades, { candles, candleHours: market.candleHours }),
    [market, candles],
  )
  const data = useMemo(() => candleData(candles, trades), [candles, trades])
  if (candles.length === 0)
    return (
      <p className="px-5 text-16 text-ink2">{t('No full hour of this market is known yet.')}</p>
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
        ticks={texts.ticks(candles)}
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
    ticks: (candles: Candles) => {
      const [first, middle, last] = [candles[0], candles[candles.length >> 1], candles.at(-1)]
      if (!first || !middle || !last) return []
      const spanMs = Date.parse(last.at) - Date.parse(first.at)
      return [first, middle, last].map(({ at }) => tickText(at, spanMs))
    },
  }
}

function priceText(amount: string): string {
  return moneyText({ amount, precision: 'price' })
}

/** The key to the picture, the maker of the charts, and the same figures as a table. */
function Below({ market, name }: { market: Market; name: string }) {
  return (
    <div className="px-5 pt-2">
      <p className="flex flex-wrap justify-between gap-x-4 text-12 text-ink2">
        <span>
          {t('Hollow: rose. Filled: fell.')}{' '}
          <span className="whitespace-nowrap">
            {t('Each candle is {length}.', { length: lengthText(market.candleHours) })}
          </span>
          {market.trades.length > 0 && ` ${t('Arrows: your bots bought ↑ or sold ↓.')}`}
        </span>
        <MadeWith />
      </p>
      <CandleTable name={name} candles={market.candles} />
    </div>
  )
}
