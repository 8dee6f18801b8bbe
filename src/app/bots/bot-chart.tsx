import { useMemo, type ReactNode } from 'react'
import type { Bot, BotPerformance, TradeMark } from '#contract/bots.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { AHEAD } from '#core/forecast/rows.ts'
import { moneyText } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'
import { Door } from '#app/ui/frame/door.tsx'
import { useMarketTime, type MarketTime } from '#app/market/market-time.ts'
import { pairText } from '#app/market/market-text.ts'
import { ResultLine } from '#app/market/result-line.tsx'
import type { ChartMark } from '#app/ui/charts/chart-marks.tsx'
import { heldAt, type ChartTime, type Curve } from '#app/ui/charts/curve.ts'
import { fanAfter } from '#app/ui/charts/fan.ts'
import { LineChart } from '#app/ui/charts/line-chart.tsx'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { Money } from '#app/ui/money/money.tsx'
import { ChartLegend } from './chart-legend.tsx'

export function BotChart({ performance }: { performance: BotPerformance }) {
  const time = useMarketTime()
  const { hidden } = useHiddenBalance()
  const { bot, equityCurve, buyAndHoldCurve, investedCurve, cashCurve, tradeMarks } = performance
  const fan = useFan(performance)
  return (
    <LineChart
      name={t('Worth of the bot')}
      note={noteOf(bot, fan)}
      curve={equityCurve}
      time={timeWith(fan, time)}
      baseline={investedCurve}
      cash={cashCurve}
      beside={{ name: t('Buy and hold'), curve: buyAndHoldCurve }}
      marks={{
        name: t('Trades on the chart'),
        items: tradeMarks.map((mark) => markOf(mark, time, hidden)),
      }}
      ahead={fan}
      hero={bot.equity}
      legend={<ChartLegend hasFan={fan.length > 0} hasCash={cashCurve.length > 0} />}
      tall
    >
      <ResultLine
        amount={bot.totalProfit}
        percent={bot.totalReturn}
        firstFees={feesOfFirstDay(performance)}
      >
        <span className="text-16 font-normal text-ink2">{t('since the start')}</span>
      </ResultLine>
    </LineChart>
  )
}

/** The bot's trading fees on its first day with trades; undefined after it. */
function feesOfFirstDay({ equityCurve, tradeMarks, venueFees }: BotPerformance) {
  const [firstTrade, now] = [tradeMarks[0], equityCurve.at(-1)]
  return firstTrade && now && Date.parse(now.at) - Date.parse(firstTrade.at) < DAY_MS
    ? venueFees
    : undefined
}

/** The range of the next day, if there is a forecast. */
function useFan({ equityCurve, nextDay }: BotPerformance): Curve[] {
  const [low, high] = [nextDay?.low, nextDay?.high]
  return useMemo(
    () => (low === undefined || high === undefined ? [] : fanAfter(equityCurve, { low, high })),
    [equityCurve, low, high],
  )
}

/**
 * Labels the end of a fan '+24 h' on the time axis, because the fan of a short or long curve is not
 * drawn to the scale of the curve.
 */
function timeWith(fan: readonly Curve[], time: MarketTime): MarketTime {
  const end = fan[0]?.at(-1)?.at
  return {
    ...time,
    tickText: (at, spanMs) =>
      at === end ? t('+{hours} h', { hours: AHEAD }) : time.tickText(at, spanMs),
  }
}

/** States the fan's last bounds in words. */
function noteOf({ investmentAmount }: Bot, [lows, highs]: readonly Curve[]): string {
  const text = (amount: string) => moneyText({ amount })
  const invested = t('Invested: {amount}.', { amount: text(investmentAmount) })
  const [low, high] = [lows?.at(-1), highs?.at(-1)]
  if (!low || !high) return invested
  const values = { hours: AHEAD, low: text(low.value), high: text(high.value) }
  return `${invested} ${t('In {hours} hours: {low} to {high}, 8 times in 10.', values)}`
}

/** The same signs as on receipts. */
const SIGNS = { buy: '▲', sell: '▼' } as const

/** The curve as a table. */
export function BotChartTable({ performance }: { performance: BotPerformance }) {
  const time = useMarketTime()
  const { equityCurve, investedCurve, nextDay, tradeMarks } = performance
  return (
    <ChartTable
      curve={equityCurve}
      baseline={investedCurve}
      time={time}
      heads={[t('Time'), t('Worth'), t('Invested')]}
    >
      {tradeMarks.length > 0 && <p>{t('▲ bought, ▼ sold; a number counts several trades')}</p>}
      {nextDay && (
        <p>{t('Dashed at the end: the next {hours} hours, 8 times in 10.', { hours: AHEAD })}</p>
      )}
    </ChartTable>
  )
}

function markOf(
  { at, bought, sold, latest }: TradeMark,
  { momentText }: MarketTime,
  hidden: boolean,
): ChartMark {
  if (bought + sold > 1) {
    const count = bought + sold
    const trades = [boughtText(bought), soldText(sold)].filter(Boolean).join(', ')
    // The name begins with the number on the mark, because users of voice control say it to choose
    // the mark.
    return {
      at,
      sign: String(count),
      text: t('{count} trades: {trades}, {start} to {end}', {
        count,
        trades,
        start: momentText(at),
        end: momentText(latest.at),
      }),
    }
  }
  const told = { pair: pairText(latest.tradingPair), time: momentText(at) }
  const text = hidden
    ? textOf(latest.side, told)
    : textWithAmount(latest.side, { ...told, amount: moneyText({ amount: latest.amount }) })
  return { at, sign: SIGNS[latest.side], text }
}

function textOf(side: TradeMark['latest']['side'], told: { pair: string; time: string }): string {
  return side === 'buy' ? t('Bought {pair}, {time}', told) : t('Sold {pair}, {time}', told)
}

function textWithAmount(
  side: TradeMark['latest']['side'],
  told: { pair: string; time: string; amount: string },
): string {
  return side === 'buy'
    ? t('Bought {pair} for {amount}, {time}', told)
    : t('Sold {pair} for {amount}, {time}', told)
}

function boughtText(count: number): string | undefined {
  if (count === 0) return undefined
  return count === 2
    ? t('bought twice')
    : tCount(count, { one: 'bought once', other: 'bought {count} times' })
}

function soldText(count: number): string | undefined {
  if (count === 0) return undefined
  return count === 2
    ? t('sold twice')
    : tCount(count, { one: 'sold once', other: 'sold {count} times' })
}

const ROWS = 12

function ChartTable({
  curve,
  baseline,
  time,
  heads,
  children,
}: {
  curve: Curve
  baseline: Curve
  time: ChartTime
  children: ReactNode
  heads: readonly [time: string, value: string, baseline: string]
}) {
  const last = curve.length - 1
  const count = Math.min(ROWS, curve.length)
  const points = Array.from(
    { length: count },
    (_, row) => curve[Math.round((row * last) / Math.max(1, count - 1))],
  ).flatMap((point) => point ?? [])
  return (
    <Door title={t('Table')}>
      <div className="pb-2 text-14 text-ink2">{children}</div>
      <table className="w-full text-right text-14">
        <thead className="text-ink2">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="py-1 font-normal first:text-left">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, value }) => (
            <tr key={at} className="border-t border-hairline">
              <th scope="row" className="py-1 text-left font-normal">
                {time.momentText(at)}
              </th>
              <td>
                <Money amount={value} />
              </td>
              <td>
                <Money amount={heldAt(baseline, at) ?? '0'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Door>
  )
}
