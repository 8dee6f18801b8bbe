import type { ReactNode } from 'react'
import type { Luck } from '#contract/evidence.ts'
import { groupDigits } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'
import { ChevronDown } from '#app/ui/frame/icons.ts'
import { figureText, Percent, percentText } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

/** Whether a level's past can be distinguished from luck, in plain words. */
export function LuckFigures({ luck, starts }: { luck: Luck; starts: number }) {
  const { trials, overfitting, minimumYears, band } = luck
  return (
    <section aria-labelledby="luck" className="px-5 pt-8">
      <h2 id="luck" className="text-20 font-semibold">
        {luck.isDistinguishable ? t('Probably more than luck') : t('Not distinguishable from luck')}
      </h2>
      <p className="pt-1 pb-3 text-16 text-pretty text-ink2">
        {luck.isDistinguishable
          ? t('These results pass three tests of luck. The future can still be different.')
          : t(
              'Chance and the rise of the coins could explain results as good as these. ' +
                'They do not show that the rules work.',
            )}
      </p>
      <Receipt>
        <ReceiptLine
          label={t('Chance that it is more than the luck of {count} tries', {
            count: whole(trials),
          })}
        >
          <Percent value={luck.deflated} sign="never" />
        </ReceiptLine>
        <ReceiptLine label={t('Chance that it is also better than holding the coins')}>
          <Percent value={luck.aboveHolding} sign="never" />
        </ReceiptLine>
        {overfitting !== null && (
          <ReceiptLine label={t('Chance that the settings only suit the past')}>
            <Percent value={overfitting} sign="never" />
          </ReceiptLine>
        )}
        <ReceiptLine label={t('Return for its risk, above cash')}>
          {figureText(luck.sharpe)}
        </ReceiptLine>
        <ReceiptLine label={t('The same for holding the coins')}>
          {figureText(luck.heldSharpe)}
        </ReceiptLine>
        <ReceiptLine label={t('12-month periods that share no day')}>
          {t('{count}, not {starts}', { count: figureText(luck.years), starts: whole(starts) })}
        </ReceiptLine>
        {minimumYears !== null && (
          <ReceiptLine
            label={t('History needed against the luck of {count} tries', { count: whole(trials) })}
          >
            {t('{years} years', { years: figureText(minimumYears) })}
          </ReceiptLine>
        )}
        <ReceiptLine label={t('90% of years, had the same days come in another order')}>
          {t('{low} to {high}', { low: percentText(band.low), high: percentText(band.high) })}
        </ReceiptLine>
      </Receipt>
      <LuckTerms luck={luck} />
    </section>
  )
}

function whole(count: number): string {
  return groupDigits(String(count), { minimum: 0, maximum: 0 })
}

function LuckTerms({ luck: { cash, band } }: { luck: Luck }) {
  return (
    <details className="group mt-2 border-b border-hairline text-14">
      <summary
        className={
          'flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 py-3 ' +
          'text-16 font-semibold'
        }
      >
        {t('In the terms of the field')}
        <ChevronDown
          size={20}
          strokeWidth={1.75}
          aria-hidden="true"
          className="shrink-0 text-ink2 group-open:rotate-180"
        />
      </summary>
      <dl className="flex flex-col gap-3 pb-4 text-pretty text-ink2">
        <Term name={t('Label')}>
          {t(
            'More than luck only if the deflated Sharpe ratio beside holding is 95% or ' +
              'more, and the probability of overfitting is below 50%.',
          )}
        </Term>
        <Term name={t('Deflated Sharpe ratio')}>
          {t(
            'The probability that the true Sharpe ratio is above the one that the best of ' +
              'all trials in the register would show without skill, given the skewness and ' +
              'kurtosis of the daily returns (Bailey and López de Prado, 2014).',
          )}
        </Term>
        <Term name={t('Deflated Sharpe ratio beside holding')}>
          {t(
            'The same, as if each trial without skill were as good as holding the coins: ' +
              'a bot that buys at random times has its share in their rise too.',
          )}
        </Term>
        <Term name={t('Probability of backtest overfitting')}>
          {t(
            'How often the best setting on one half of the history is below the median of ' +
              'all settings on the other, over 12,870 splits into halves: CSCV with 16 ' +
              'blocks, on the candles that the settings were chosen on (Bailey, Borwein, ' +
              'López de Prado and Zhu, 2015).',
          )}
        </Term>
        <Term name={t('Sharpe ratio above cash')}>
          {t(
            'Mean daily return above cash, divided by its standard deviation, × √365. Cash yielded {cash} a year on average. After the costs of trading, before our fee.',
            { cash: percentText(cash, { sign: 'never' }) },
          )}
        </Term>
        <Term name={t('Effective number of windows')}>
          {t(
            'The length of the history divided by the length of a window: windows that ' +
              'begin a day apart share nearly all of their days.',
          )}
        </Term>
        <Term name={t('Minimum backtest length')}>
          {t(
            'The history below which the best of so many settings without skill is ' +
              'expected to show this Sharpe ratio (same authors, 2014).',
          )}
        </Term>
        <Term name={t('Stationary bootstrap')}>
          {tCount(band.blockDays, {
            one:
              'Twelve months put together from random blocks of the daily returns, on ' +
              'average {count} day long, after our fee: 90% of the outcomes (Politis and ' +
              'Romano, 1994).',
            other:
              'Twelve months put together from random blocks of the daily returns, on ' +
              'average {count} days long, after our fee: 90% of the outcomes (Politis and ' +
              'Romano, 1994).',
          })}
        </Term>
      </dl>
    </details>
  )
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold text-ink">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
