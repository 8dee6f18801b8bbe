import type { Luck } from '#contract/evidence.ts'
import { countText } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { figureText, Percent, percentText } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Door } from '#app/ui/frame/door.tsx'

export function LuckFigures({ luck, starts }: { luck: Luck; starts: number }) {
  return (
    <Door
      title={t('Could it be luck?')}
      note={
        luck.isDistinguishable ? t('Probably more than luck') : t('Not distinguishable from luck')
      }
    >
      <p className="pb-3 text-16 text-pretty text-ink2">
        {luck.isDistinguishable
          ? t('These results pass three tests of luck. The future can still be different.')
          : t(
              'Chance and the rise of the coins could explain results as good as these. ' +
                'They do not show that the rules work.',
            )}
      </p>
      <Lines luck={luck} starts={starts} />
      <LuckTerms luck={luck} />
    </Door>
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
          value: t('{count} (of {starts} start days)', {
            count: figureText(luck.years),
            starts: countText(starts),
          }),
        },
        minimumYears !== null && {
          label: t('History needed to rule out the luck of {count} tries', tries),
          value: t('{years} years', { years: figureText(minimumYears) }),
        },
        {
          label: t('90% of years, with the same days in another order'),
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
    msg('Verdict'),
    msg(
      'A result counts as more than luck if its deflated Sharpe ratio compared with ' +
        'holding is at least 95%. The probability of overfitting must also be below 50%.',
    ),
  ],
  [
    msg('Deflated Sharpe ratio'),
    msg(
      'Even without skill, the best of all registered trials would have some Sharpe ' +
        'ratio by luck. This is the probability that the true one is higher. It accounts ' +
        'for the skewness and kurtosis of the daily returns. Source: Bailey and López de Prado, 2014.',
    ),
  ],
  [
    msg('Deflated Sharpe ratio compared with holding'),
    msg(
      'The same probability, but a trial without skill counts as being as good as ' +
        'holding the coins. A bot that buys at random times gains from their rise too.',
    ),
  ],
  [
    msg('Probability of backtest overfitting'),
    msg(
      'The history is split into halves in 12,870 ways. This is how often the best ' +
        'setting of one half is below the median of the other. Method: CSCV with 16 ' +
        'blocks, on the candles that the settings were chosen on. Source: Bailey, ' +
        'Borwein, López de Prado and Zhu, 2015.',
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
    msg('Effective number of periods'),
    msg(
      'The length of the history divided by the length of one period. Periods that ' +
        'begin a day apart share nearly all their days.',
    ),
  ],
  [
    msg('Minimum backtest length'),
    msg(
      'With a shorter history, the best of so many settings would show this Sharpe ' +
        'ratio by luck alone. Source: the same authors, 2014.',
    ),
  ],
  [
    msg('Stationary bootstrap'),
    msg(
      'Twelve months made of random blocks of the daily returns, on average ' +
        '{count} days long, after our fee. The range holds 90% of the outcomes. ' +
        'Source: Politis and Romano, 1994.',
    ),
  ],
] as const

function LuckTerms({ luck: { cash, band } }: { luck: Luck }) {
  const values = { cash: percentText(cash, { sign: 'never' }), count: band.blockDays }
  return (
    <Disclosure summary={t('In technical terms')} className="mt-2 border-b border-hairline text-14">
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
