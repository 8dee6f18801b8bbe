import type { SampleBot as SampleFigures } from '#contract/evidence.ts'
import { baseOf } from '#core/market/pair.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { listText } from '#words/list-text.ts'
import { t } from '#words/words.ts'
import { useAnswer } from '#app/api/queries.ts'
import { Change, Money } from '#app/ui/money/money.tsx'
import { ChartFrame } from '#app/ui/charts/chart-frame.tsx'
import { ChartLines } from '#app/ui/charts/chart-lines.tsx'
import { curveSentence, scaleOf } from '#app/ui/charts/curve.ts'
import { useReplayTime, type MarketTime } from '#app/market/market-time.ts'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'

/**
 * An example of a bot at work: the server replays the real rules over this market's candles,
 * whatever the result.
 */
export function SampleBot() {
  const sample = useAnswer(['getSampleBot'], {}).data
  return sample ? <Sample sample={sample} /> : null
}

function Sample({ sample }: { sample: SampleFigures }) {
  const time = useReplayTime(sample.to)
  return (
    <section aria-labelledby="sample-bot" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h3 id="sample-bot" className="text-17 font-semibold">
          {t('A bot at work')}
        </h3>
        <HypotheticalMark />
      </div>
      <p className="mt-2 text-14 text-ink2">
        {t('{level} risk on {coins}, {period}.', {
          level: riskTitle(sample.riskLevel),
          coins: listText(sample.tradingPairs.map(baseOf)),
          period: time.periodText(sample.from, sample.to),
        })}{' '}
        {sample.feedLabel}.
      </p>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-3">
        <span className="text-28 font-semibold">
          <Money own={false} amount={sample.equityCurve.at(-1)?.value ?? sample.invested} />
        </span>
        <Change
          amount={sample.netResult}
          percent={sample.returnPercent}
          className="text-16 font-semibold"
        />
      </p>
      <Curve sample={sample} time={time} />
      <ol aria-label={t('Its latest trade')} className="mt-2">
        {sample.trades.slice(0, 1).map((trade) => (
          <TradeRow key={trade.marketTime + trade.tradingPair} trade={trade} />
        ))}
      </ol>
      <p className="mt-3 text-14 text-pretty text-ink2">{sample.disclaimer}</p>
    </section>
  )
}

function Curve({ sample, time }: { sample: SampleFigures; time: MarketTime }) {
  const { equityCurve, buyAndHoldCurve } = sample
  const scale = scaleOf([equityCurve, buyAndHoldCurve])
  return (
    <>
      <div
        role="img"
        aria-label={curveSentence(t('Hypothetical worth of the bot'), equityCurve, time.dayText)}
        className="-mx-5 mt-1"
      >
        <ChartFrame scale={scale} time={time}>
          <ChartLines curve={equityCurve} dashed={[buyAndHoldCurve]} scale={scale} />
        </ChartFrame>
      </div>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-14 text-ink2">
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="w-5 border-t-2 border-ink" />{' '}
          {t('The bot, after all costs')}
        </span>
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="w-5 border-t-2 border-dashed border-ink3" />{' '}
          {t('Buy and hold')}
        </span>
      </p>
    </>
  )
}

function TradeRow({ trade }: { trade: SampleFigures['trades'][number] }) {
  const coin = baseOf(trade.tradingPair)
  return (
    <li className="border-b border-hairline py-3 last:border-b-0">
      <p className="flex justify-between gap-3 text-16">
        <span className="font-semibold">
          {trade.side === 'buy' ? t('Bought {coin}', { coin }) : t('Sold {coin}', { coin })}
        </span>
        <Money own={false} amount={trade.amount} />
      </p>
      <p className="text-14 text-ink2">{trade.reason}</p>
    </li>
  )
}
