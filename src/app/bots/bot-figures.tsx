import type { BotPerformance } from '#contract/bots.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { percentOf, percentOfBps } from '#core/money/percent.ts'
import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Months } from '#app/market/months.tsx'
import { Door } from '#app/ui/frame/door.tsx'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { figureText, Money, Percent, percentText } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { forecastClosing } from './take-out-forecast.ts'

export function BotFigures({ performance }: { performance: BotPerformance }) {
  const { bot } = performance
  return (
    <section aria-label={t('Breakdown')}>
      <Door title={t('Breakdown')}>
        <Receipt
          lines={[
            { label: t('Invested'), value: <Money amount={bot.investmentAmount} /> },
            {
              label: t('Result before our fee'),
              value: <Money amount={sumOf(bot.totalProfit, bot.closingFee)} sign="always" />,
            },
            {
              label: t('Our fee if you closed now'),
              value: (
                <Money amount={bot.closingFee === '0.00' ? bot.closingFee : `-${bot.closingFee}`} />
              ),
            },
            { label: t('Current value'), value: <Money amount={bot.equity} />, isTotal: true },
          ]}
        />
        <BeforeSelling bot={bot} />
        <Performance performance={performance} />
        <CashYieldNote />
        <p className="mt-2 text-14 text-ink2">
          {t(
            'Sharpe ratio: mean over standard deviation of daily returns × √365, risk-free ' +
              'rate 0.',
          )}{' '}
          {t('Above 1: steady gains for the risk taken. Below 0: it lost money.')}
        </p>
        <BotMonths months={performance.months} />
      </Door>
    </section>
  )
}

function Performance({ performance }: { performance: BotPerformance }) {
  const { maxDrawdown, sharpe, venueFees, platformFees, interest } = performance
  const cashYield = useConfig().data?.cashYield ?? null
  return (
    <div className="mt-4">
      <Receipt
        lines={[
          { label: t('Trading fees (included above)'), value: <Money amount={venueFees} /> },
          (cashYield !== null || interest !== '0.00') && {
            label: t('Interest on cash (included above)'),
            value: <Money amount={interest} />,
          },
          {
            label: t('Our fee so far, on money taken out'),
            value: <Money amount={platformFees} />,
          },
          {
            label: t('Largest drop from a peak (max drawdown)'),
            value: <Percent value={maxDrawdown} sign="never" />,
          },
          {
            label: t('Sharpe ratio'),
            value: sharpe === null ? t('after 30 days of trading') : figureText(sharpe),
          },
        ]}
      />
    </div>
  )
}

function BotMonths({ months }: Pick<BotPerformance, 'months'>) {
  const shown = months.map(({ from, result, putIn }) => ({
    from,
    percent: percentOf({ part: decimalToUnits(result), whole: decimalToUnits(putIn) }),
  }))
  return <Months months={shown} />
}

/** Notes that worth is at the last price, before the cost of selling. */
function BeforeSelling({ bot }: { bot: BotPerformance['bot'] }) {
  const costBps = useConfig().data?.tradingCostBps
  if (costBps === undefined) return null
  const { cost } = forecastClosing(bot, costBps)
  const values = {
    percent: percentText(percentOfBps(costBps), { sign: 'never' }),
    cost: <Money amount={cost} />,
  }
  return (
    <p className="mt-2 text-14 text-ink2">
      <Trans
        message="The current value is at the last price, after our fee and before the cost of selling. Selling costs about {percent} of the coins here, now {cost}."
        {...values}
      />
    </p>
  )
}

function CashYieldNote() {
  const config = useConfig().data
  if (!config?.cashYield) return null
  const { percent, source } = config.cashYield
  return (
    <p className="mt-2 text-14 text-ink2">
      {t(
        'Cash in the pools of bots earns {percent} a year. The interest is added each midnight (UTC) of market time. Source: {source}.',
        { percent: percentText(percent, { sign: 'never' }), source },
      )}{' '}
      {config.book === 'paper' && t('Here the interest is paper money, like everything else.')}
    </p>
  )
}
