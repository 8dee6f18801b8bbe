import type { EvidenceFigures } from '#contract/evidence.ts'
import { msg, t } from '#words/words.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { botRows, FigureTable, type Figure } from './figure-table.tsx'

type Row = EvidenceFigures['buyAndHold']

const MEDIANS: readonly Figure<Row>[] = [
  { name: msg('All at once'), of: ({ median }) => median.percent, sign: 'always' },
  { name: msg('Monthly'), of: ({ monthly }) => monthly.median.percent, sign: 'always' },
  { name: msg('At once higher'), of: ({ monthly }) => monthly.onceHigherPercent, sign: 'never' },
]

const WORST: readonly Figure<Row>[] = [
  { name: msg('All at once'), of: ({ worst }) => worst.percent, sign: 'always' },
  { name: msg('Monthly'), of: ({ monthly }) => monthly.worst.percent, sign: 'always' },
  { name: msg('Lost money, monthly'), of: ({ monthly }) => monthly.losingPercent, sign: 'never' },
]

/** The same money in twelve monthly parts beside all of it at once, in the same windows. */
export function MonthlyResults({ figures }: { figures: EvidenceFigures }) {
  const rows = botRows(figures)
  const led = rows.filter(({ row }) => row.monthly.onceHigher * 2 > figures.windows).length
  return (
    <Section title={t('Monthly or all at once')}>
      <p className="text-14 text-pretty text-ink2">
        {t(
          'The same money in the same windows: all of it on the first day, or a twelfth on that day of each month while the rest waits as cash, which earns nothing.',
        )}
      </p>
      <p className="pt-2 text-16 font-semibold text-pretty">{verdict({ led, all: rows.length })}</p>
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
          'Money that waits as cash neither rises nor falls: less of it is lost in bad years and less is earned in good ones. A plan suits money that you do not have yet. It does not make a bot better.',
        )}
      </p>
    </Section>
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
