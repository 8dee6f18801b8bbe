import type { EvidenceFigures } from '#contract/evidence.ts'
import { msg, t } from '#words/words.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { cashNote } from './cash-note.ts'
import { botRows, FigureTable, type Figure } from './figure-table.tsx'

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

/**
 * All kinds and levels compared with buying and holding the same coins. Two narrow tables, so that
 * phones need not scroll sideways.
 */
export function ComparisonTable({
  figures: { levels, others, buyAndHold, costs, cash },
}: {
  figures: EvidenceFigures
}) {
  const isHoldFree = costs.holdFee === '0.00'
  const kinds = others.filter(({ strategy }) => !(strategy === 'hold' && isHoldFree))
  const rows = [...botRows({ levels, others: kinds }), { name: t('Buy and hold'), row: buyAndHold }]
  return (
    <Section title={t('Side by side')}>
      <FigureTable caption={t('Results of 12 months')} figures={OUTCOMES} rows={rows} />
      <FigureTable
        caption={t('Risks of 12 months')}
        figures={buyAndHold.beatsCash === null ? RISKS : [...RISKS, BESIDE_CASH]}
        rows={rows}
      />
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'Buy and hold is the same money put into the same coins on the same day and sold 12 months later, without our fee. One start day in ten gave the lower tenth or less. The largest drop is the deepest fall of all these bots, and of one that ran through the whole period: from a peak, or from the start.',
        )}{' '}
        {isHoldFree && t('A bot that holds ends like this too: it pays no fee on its profit.')}{' '}
        {cashNote({ cash, beatsCash: buyAndHold.beatsCash })}
      </p>
    </Section>
  )
}
