import type { BacktestResult } from '#contract/backtest.ts'
import { t } from '#words/words.ts'
import { Change, figureText, Money, Percent } from '#app/ui/money/money.tsx'
import { LineChart } from '#app/ui/charts/line-chart.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { useReplayTime } from '#app/market/market-time.ts'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { ChartLegend } from './chart-legend.tsx'

export function BacktestSummary({ result }: { result: BacktestResult }) {
  const time = useReplayTime(result.to)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <HypotheticalMark />
        <span className="text-14 text-ink2">{result.feedLabel}</span>
      </div>
      <div className="-mx-5">
        <LineChart
          name={t('Hypothetical worth')}
          time={time}
          curve={result.equityCurve}
          cash={result.cashCurve}
          beside={{ name: t('Buy and hold'), curve: result.buyAndHoldCurve }}
        >
          <Change
            amount={result.netResult}
            percent={result.returnPercent}
            className="text-17 font-semibold"
          />
        </LineChart>
      </div>
      <ChartLegend hasCash={result.cashCurve.length > 0} />
      <Figures result={result} period={time.periodText(result.from, result.to)} />
      <p className="text-14 text-ink2">
        {t(
          'You pay our fee once, when money leaves the bot with a profit. Here it is ' +
            'already deducted, as if you closed the bot.',
        )}
      </p>
      <p className="text-14 text-ink2">{result.disclaimer}</p>
    </div>
  )
}

function Figures({ result, period }: { result: BacktestResult; period: string }) {
  return (
    <Receipt
      lines={[
        { label: t('Period'), value: period },
        { label: t('Invested'), value: <Money own={false} amount={result.invested} /> },
        { label: t('Trades'), value: result.tradeCount },
        {
          label: t('Largest drop from a peak (max drawdown)'),
          value: <Percent value={result.maxDrawdown} sign="never" />,
        },
        {
          label: t('Sharpe ratio'),
          value: result.sharpe === null ? t('after 30 days of trading') : figureText(result.sharpe),
        },
        result.cashYield !== '0.00' && {
          label: t('Interest on idle cash per year'),
          value: <Percent value={result.cashYield} sign="never" />,
        },
        { label: t('Trading fees'), value: <Money own={false} amount={result.venueFees} /> },
        { label: t('Our fee'), value: <Money own={false} amount={result.platformFees} /> },
        {
          label: t('Buy and hold'),
          value: <Money own={false} amount={result.buyAndHoldResult} sign="always" />,
        },
        {
          label: t('Result after fees'),
          value: <Money own={false} amount={result.netResult} sign="always" />,
          isTotal: true,
        },
      ]}
    />
  )
}
