import type { EvidenceFigures } from '#contract/evidence.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { riskTitle, strategyTitle } from '#words/strategy-names.ts'
import { msg, say, t } from '#words/words.ts'
import { Percent } from '#app/ui/money/money.tsx'
import { Door } from '#app/ui/frame/door.tsx'
import { cashNote } from './evidence-notes.ts'

type Figure<Row> = { name: string; of: (row: Row) => string; sign: 'always' | 'never' }

function botRows({ levels, others }: Pick<EvidenceFigures, 'levels' | 'others'>): {
  name: string
  row: EvidenceFigures['buyAndHold']
}[] {
  return [
    ...levels.map((level) => ({ name: riskTitle(level.riskLevel), row: level })),
    ...others.map((kind) => ({ name: strategyTitle(choiceOf(kind.strategy)), row: kind })),
  ]
}

function FigureTable<Row>({
  caption,
  figures,
  rows,
  head = t('12 months'),
}: {
  caption: string
  figures: readonly Figure<Row>[]
  rows: readonly { name: string; row: Row }[]
  head?: string
}) {
  return (
    // At very large text, only the table scrolls, not the page.
    <div className="mt-2 overflow-x-auto">
      <table className="w-full text-right text-12 min-[375px]:text-14">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-ink">
            <th scope="col" className="w-[28%] py-2 text-left font-normal text-ink2">
              {head}
            </th>
            {figures.map(({ name }) => (
              <th key={name} scope="col" className="w-[24%] py-2 pl-2 font-normal text-ink2">
                {say(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, row }) => (
            <tr key={name} className="border-b border-hairline">
              <th scope="row" className="text-left font-semibold whitespace-nowrap">
                {name}
              </th>
              {figures.map(({ name: figure, of, sign }) => (
                <td key={figure} className="py-3 pl-2">
                  <Percent value={of(row)} sign={sign} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Row = Pick<
  EvidenceFigures['buyAndHold'],
  'median' | 'worst' | 'best' | 'lower' | 'losingPercent' | 'deepestFall' | 'beatsCash'
>

const OUTCOMES: readonly Figure<Row>[] = [
  { name: msg('Worst'), of: ({ worst }) => worst.percent, sign: 'always' },
  { name: msg('Median'), of: ({ median }) => median.percent, sign: 'always' },
  { name: msg('Best'), of: ({ best }) => best.percent, sign: 'always' },
]

const RISKS: readonly Figure<Row>[] = [
  { name: msg('Lower tenth'), of: ({ lower }) => lower.percent, sign: 'always' },
  { name: msg('Lost money'), of: ({ losingPercent }) => losingPercent, sign: 'never' },
  { name: msg('Largest drop'), of: ({ deepestFall }) => deepestFall, sign: 'never' },
]

const BESIDE_CASH: Figure<Row> = {
  name: msg('Beat cash'),
  of: ({ beatsCash }) => beatsCash?.percent ?? '0.00',
  sign: 'never',
}

export function ComparisonTable({
  figures: { levels, others, buyAndHold, costs, cash },
}: {
  figures: EvidenceFigures
}) {
  const isHoldFree = costs.holdFee === '0.00'
  const kinds = others.filter(({ strategy }) => !(strategy === 'hold' && isHoldFree))
  const rows = [...botRows({ levels, others: kinds }), { name: t('Buy and hold'), row: buyAndHold }]
  return (
    <Door title={t('Side by side')}>
      <FigureTable caption={t('Results of 12 months')} figures={OUTCOMES} rows={rows} />
      <FigureTable
        caption={t('Risks of 12 months')}
        figures={buyAndHold.beatsCash === null ? RISKS : [...RISKS, BESIDE_CASH]}
        rows={rows}
      />
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'Buy and hold buys the same coins with the same money on the same day. It ' +
            'sells them 12 months later and pays us no fee. One start day in ten gave ' +
            'the lower tenth or less. The largest drop is the deepest fall of any of ' +
            'these bots, from a peak or from the start. It includes one bot that ran ' +
            'through the whole period.',
        )}{' '}
        {isHoldFree && t('Hold bots end like this too: they pay no fee on their profit.')}{' '}
        {cashNote({ cash, beatsCash: buyAndHold.beatsCash })}
      </p>
    </Door>
  )
}

type MonthlyResultsRow = EvidenceFigures['buyAndHold']

const MEDIANS: readonly Figure<MonthlyResultsRow>[] = [
  { name: msg('All at once'), of: ({ median }) => median.percent, sign: 'always' },
  { name: msg('Monthly'), of: ({ monthly }) => monthly.median.percent, sign: 'always' },
  {
    name: msg('All at once ended higher'),
    of: ({ monthly }) => monthly.onceHigherPercent,
    sign: 'never',
  },
]

const WORST: readonly Figure<MonthlyResultsRow>[] = [
  { name: msg('All at once'), of: ({ worst }) => worst.percent, sign: 'always' },
  { name: msg('Monthly'), of: ({ monthly }) => monthly.worst.percent, sign: 'always' },
  { name: msg('Lost money, monthly'), of: ({ monthly }) => monthly.losingPercent, sign: 'never' },
]

export function MonthlyResults({ figures }: { figures: EvidenceFigures }) {
  const rows = botRows(figures)
  const led = rows.filter(({ row }) => row.monthly.onceHigher * 2 > figures.windows).length
  return (
    <Door title={t('Monthly or all at once')}>
      <p className="pb-2 text-16 text-pretty">{verdict({ led, all: rows.length })}</p>
      <p className="text-14 text-pretty text-ink2">
        {t(
          'The same money in the same periods, invested all at once or in twelve ' +
            'monthly amounts. Money that waits is cash and earns nothing.',
        )}
      </p>
      <FigureTable
        caption={t('Medians of 12 months')}
        head={t('Median')}
        figures={MEDIANS}
        rows={rows}
      />
      <FigureTable
        caption={t('Worst of 12 months')}
        head={t('Worst')}
        figures={WORST}
        rows={rows}
      />
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'Money that waits as cash neither rises nor falls. It loses less in bad ' +
            "years and earns less in good ones. A plan suits money that you don't have " +
            "yet. It doesn't make a bot better.",
        )}
      </p>
    </Door>
  )
}

function verdict({ led, all }: { led: number; all: number }): string {
  if (led === all)
    return t('Investing all at once ended higher in most windows, at every kind and level.')
  if (led === 0)
    return t('Investing monthly ended higher in most windows, at every kind and level.')
  return t(
    'Investing all at once ended higher in most windows at {led} of {all} kinds and levels.',
    { led, all },
  )
}
