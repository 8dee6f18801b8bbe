import type { BacktestResult } from '#contract/bots.ts'
import { Change } from '../ui/change.tsx'
import { useDates } from '../ui/dates.ts'
import { LineChart } from '../ui/line-chart.tsx'
import { figureText } from '../ui/money-format.ts'
import { Money } from '../ui/money.tsx'
import { Percent } from '../ui/percent.tsx'
import { ReceiptLine } from '../ui/receipt-line.tsx'
import { Receipt } from '../ui/receipt.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { HypotheticalMark } from '../ui/hypothetical-mark.tsx'

/** What the rules would have done with the money, all costs taken off. */
export function BacktestSummary({ result }: { result: BacktestResult }) {
  const { dayText } = useDates()
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <HypotheticalMark />
        <span className="text-14 text-ink2">{result.feedLabel}</span>
      </div>
      <div className="-mx-5">
        <LineChart name="Hypothetical worth" curve={result.equityCurve} beside={{ name: 'Buy and hold', curve: result.buyAndHoldCurve }}>
          <Change amount={result.netResult} percent={result.returnPercent} className="text-17 font-semibold" />
        </LineChart>
      </div>
      <ChartLegend />
      <Receipt>
        <ReceiptLine label="Period">
          {dayText(result.from)} – {dayText(result.to)}
        </ReceiptLine>
        <ReceiptLine label="Invested">
          <Money amount={result.invested} />
        </ReceiptLine>
        <ReceiptLine label="Trades">{result.tradeCount}</ReceiptLine>
        <ReceiptLine label="Deepest fall">
          <Percent value={result.maxDrawdown} sign="never" />
        </ReceiptLine>
        <ReceiptLine label="Sharpe ratio">{result.sharpe === null ? 'needs 30 days' : figureText(result.sharpe)}</ReceiptLine>
        <ReceiptLine label="Trading fees">
          <Money amount={result.venueFees} />
        </ReceiptLine>
        <ReceiptLine label="Our fee">
          <Money amount={result.platformFees} />
        </ReceiptLine>
        <ReceiptLine label="Buy and hold">
          <Money amount={result.buyAndHoldResult} sign="always" />
        </ReceiptLine>
        <ReceiptLine kind="total" label="Result after fees">
          <Money amount={result.netResult} sign="always" />
        </ReceiptLine>
      </Receipt>
      <p className="text-14 text-ink2">
        You pay our fee once, when money leaves the bot with a profit. Here it is already off, as if you closed the bot.
      </p>
      <p className="text-14 text-ink2">{result.disclaimer}</p>
    </div>
  )
}
