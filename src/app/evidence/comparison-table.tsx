import type { EvidenceFigures } from '#contract/evidence.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { riskTitle } from '#words/names.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { msg, say, t } from '#words/words.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { Percent } from '#app/ui/money/percent.tsx'
import { cashNote } from './cash-note.ts'

type Row = Pick<EvidenceFigures['buyAndHold'], 'median' | 'worst' | 'best' | 'lower' | 'losingPercent' | 'deepestFall' | 'beatsCash'>
type Figure = { name: string; of: (row: Row) => string | undefined; sign: 'always' | 'never' }

const OUTCOMES: readonly Figure[] = [
  { name: msg('Worst'), of: ({ worst }) => worst.percent, sign: 'always' },
  { name: msg('Median'), of: ({ median }) => median.percent, sign: 'always' },
  { name: msg('Best'), of: ({ best }) => best.percent, sign: 'always' },
]

const RISKS: readonly Figure[] = [
  { name: msg('Lower tenth'), of: ({ lower }) => lower.percent, sign: 'always' },
  { name: msg('Lost money'), of: ({ losingPercent }) => losingPercent, sign: 'never' },
  { name: msg('Largest drop'), of: ({ deepestFall }) => deepestFall, sign: 'never' },
]

const BESIDE_CASH: Figure = { name: msg('Beat cash'), of: ({ beatsCash }) => beatsCash?.percent, sign: 'never' }

/** All kinds and levels compared with buying and holding the same coins. Two narrow tables, so that phones need not scroll sideways. */
export function ComparisonTable({ figures: { levels, others, buyAndHold, costs, cash } }: { figures: EvidenceFigures }) {
  const isHoldFree = costs.holdFee === '0.00'
  const kinds = others.filter(({ strategy }) => !(strategy === 'hold' && isHoldFree))
  const rows = [
    ...levels.map((level) => ({ name: riskTitle(level.riskLevel), row: level })),
    ...kinds.map((kind) => ({ name: strategyTitle(choiceOf(kind.strategy)), row: kind })),
    { name: t('Buy and hold'), row: buyAndHold },
  ]
  return (
    <Section title={t('Side by side')}>
      <FigureTable caption={t('Results of 12 months')} figures={OUTCOMES} rows={rows} />
      <FigureTable caption={t('Risks of 12 months')} figures={buyAndHold.beatsCash === null ? RISKS : [...RISKS, BESIDE_CASH]} rows={rows} />
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'Buy and hold is the same money put into the same coins on the same day and sold 12 months later, without our fee. One start day in ten gave the lower tenth or less. The deepest fall is from a peak, through the whole period.',
        )}{' '}
        {isHoldFree && t('A bot that holds ends like this too: it pays no fee on its profit.')} {cashNote({ cash, beatsCash: buyAndHold.beatsCash })}
      </p>
    </Section>
  )
}

function FigureTable({ caption, figures, rows }: { caption: string; figures: readonly Figure[]; rows: readonly { name: string; row: Row }[] }) {
  return (
    // Figures side by side need their width at very large text: the table scrolls, not the page.
    <div className="mt-2 overflow-x-auto">
      <table className="w-full text-right text-12 min-[375px]:text-14">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-ink">
            <th scope="col" className="w-[28%] py-2 text-left font-normal text-ink2">
              {t('12 months')}
            </th>
            {figures.map(({ name }) => (
              <th key={name} scope="col" className="w-[18%] py-2 pl-1 align-bottom min-[375px]:pl-2 font-normal text-ink2">
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
                <td key={figure} className="py-3 pl-1 min-[375px]:pl-2">
                  <Percent value={of(row) ?? '0.00'} sign={sign} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
