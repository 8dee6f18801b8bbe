import type { Luck } from '#contract/evidence.ts'
import { countText } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { figureText, Percent, percentText } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'

export function LuckFigures({ luck, starts }: { luck: Luck; starts: number }) {
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
      <Lines luck={luck} starts={starts} />
      <LuckTerms luck={luck} />
    </section>
  )
}

function Lines({ luck, starts }: { luck: Luck; starts: number }) {
  const { overfitting, minimumYears, band } = luck
  const tries = { count: countText(luck.trials) }
  return (
    <Receipt
      lines={[
        {
          label: t('Chance that it is more than the luck of {count} tries', tries),
          value: chance(luck.deflated),
        },
        {
          label: t('Chance that it is also better than holding the coins'),
          value: chance(luck.aboveHolding),
        },
        overfitting !== null && {
          label: t('Chance that the settings only suit the past'),
          value: chance(overfitting),
        },
        { label: t('Return for its risk, above cash'), value: figureText(luck.sharpe) },
        { label: t('The same for holding the coins'), value: figureText(luck.heldSharpe) },
        {
          label: t('12-month periods that share no day'),
          value: t('{count}, not {starts}', {
            count: figureText(luck.years),
            starts: countText(starts),
          }),
        },
        minimumYears !== null && {
          label: t('History needed against the luck of {count} tries', tries),
          value: t('{years} years', { years: figureText(minimumYears) }),
        },
        {
          label: t('90% of years, had the same days come in another order'),
          value: t('{low} to {high}', {
            low: percentText(band.low),
            high: percentText(band.high),
          }),
        },
      ]}
    />
  )
}

const chance = (percent: string) => <Percent value={percent} sign="never" />

const TERMS = [
  [
    msg('Label'),
    msg(
      'More than luck only if the deflated Sharpe ratio beside holding is 95% or ' +
        'more, and the probability of overfitting is below 50%.',
    ),
  ],
  [
    msg('Deflated Sharpe ratio'),
    msg(
      'The probability that the true Sharpe ratio is above the one that the best of ' +
        'all trials in the register would show without skill, given the skewness and ' +
        'kurtosis of the daily returns (Bailey and López de Prado, 2014).',
    ),
  ],
  [
    msg('Deflated Sharpe ratio beside holding'),
    msg(
      'The same, as if each trial without skill were as good as holding the coins: ' +
        'a bot that buys at random times has its share in their rise too.',
    ),
  ],
  [
    msg('Probability of backtest overfitting'),
    msg(
      'How often the best setting on one half of the history is below the median of ' +
        'all settings on the other, over 12,870 splits into halves: CSCV with 16 ' +
        'blocks, on the candles that the settings were chosen on (Bailey, Borwein, ' +
        'López de Prado and Zhu, 2015).',
    ),
  ],
  [
    msg('Sharpe ratio above cash'),
    msg(
      'Mean daily return above cash, divided by its standard deviation, × √365. Cash ' +
        'yielded {cash} a year on average. After the costs of trading, before our fee.',
    ),
  ],
  [
    msg('Effective number of windows'),
    msg(
      'The length of the history divided by the length of a window: windows that ' +
        'begin a day apart share nearly all of their days.',
    ),
  ],
  [
    msg('Minimum backtest length'),
    msg(
      'The history below which the best of so many settings without skill is ' +
        'expected to show this Sharpe ratio (same authors, 2014).',
    ),
  ],
  [
    msg('Stationary bootstrap'),
    msg(
      'Twelve months put together from random blocks of the daily returns, on ' +
        'average {count} days long, after our fee: 90% of the outcomes (Politis and ' +
        'Romano, 1994).',
    ),
  ],
] as const

function LuckTerms({ luck: { cash, band } }: { luck: Luck }) {
  const values = { cash: percentText(cash, { sign: 'never' }), count: band.blockDays }
  return (
    <Disclosure
      summary={t('In the terms of the field')}
      className="mt-2 border-b border-hairline text-14"
    >
      <dl className="flex flex-col gap-3 pb-4 text-pretty text-ink2">
        {TERMS.map(([name, meaning]) => (
          <div key={name}>
            <dt className="font-semibold text-ink">{say(name)}</dt>
            <dd>{say(meaning, values)}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  )
}
