import type { BotPerformance, TradeMark } from '#contract/bots.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { useMarketTime, type MarketTime } from '#app/market/market-time.ts'
import { pairText } from '#app/market/pair-text.ts'
import type { ChartMark } from '#app/ui/charts/chart-marks.tsx'
import { ChartTable } from '#app/ui/charts/chart-table.tsx'
import { LineChart } from '#app/ui/charts/line-chart.tsx'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { Change } from '#app/ui/money/change.tsx'
import { moneyText } from '#core/money/text.ts'
import { ChartLegend } from './chart-legend.tsx'

/** The bot's worth in large type, and its curve with its trades. */
export function BotChart({ performance }: { performance: BotPerformance }) {
  const time = useMarketTime()
  const { hidden } = useHiddenBalance()
  const { bot, equityCurve, buyAndHoldCurve, investedCurve, tradeMarks } = performance
  return (
    <>
      <LineChart
        name="Worth of the bot"
        note={`Invested: ${moneyText({ amount: bot.investmentAmount })}.`}
        curve={equityCurve}
        time={time}
        baseline={investedCurve}
        beside={{ name: 'Buy and hold', curve: buyAndHoldCurve }}
        marks={{ name: 'Trades on the chart', items: tradeMarks.map((mark) => markOf(mark, time, hidden)) }}
        hero={bot.equity}
        legend={<ChartLegend invested={tradeMarks.length > 0 ? 'with trades' : 'without trades'} />}
        tall
      >
        <Change amount={bot.totalProfit} percent={bot.totalReturn.replace('-', '')} className="text-16 font-medium" />
      </LineChart>
      <div className="px-5">
        <MarketMark pairs={bot.tradingPairs} />
      </div>
      <ChartTable curve={equityCurve} baseline={investedCurve} time={time} heads={['Time', 'Worth', 'Invested']} />
    </>
  )
}

function markOf({ at, bought, sold, latest }: TradeMark, { momentText }: MarketTime, hidden: boolean): ChartMark {
  if (bought + sold > 1) {
    const counts = [timesText('bought', bought), timesText('sold', sold)].filter(Boolean).join(', ')
    // The name begins with the number on the mark, which users of voice control say to choose it.
    return { at, sign: String(bought + sold), text: `${bought + sold} trades: ${counts}, ${momentText(at)} to ${momentText(latest.at)}` }
  }
  const amount = hidden ? '' : ` for ${moneyText({ amount: latest.amount })}`
  const done = latest.side === 'buy' ? 'Bought' : 'Sold'
  return { at, sign: done.charAt(0), text: `${done} ${pairText(latest.tradingPair)}${amount}, ${momentText(at)}` }
}

function timesText(verb: string, count: number): string | undefined {
  if (count === 0) return undefined
  if (count < 3) return `${verb} ${count === 1 ? 'once' : 'twice'}`
  return `${verb} ${count} times`
}
