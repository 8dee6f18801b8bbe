import type { EvidenceFigures } from '#contract/evidence.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { riskTitle } from '#words/names.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { say, t } from '#words/words.ts'
import { Percent } from '#app/ui/money/percent.tsx'

export type Figure<Row> = { name: string; of: (row: Row) => string; sign: 'always' | 'never' }

/** The kinds and levels of bots, each with its name and its figures. */
export function botRows({ levels, others }: Pick<EvidenceFigures, 'levels' | 'others'>): {
  name: string
  row: EvidenceFigures['buyAndHold']
}[] {
  return [
    ...levels.map((level) => ({ name: riskTitle(level.riskLevel), row: level })),
    ...others.map((kind) => ({ name: strategyTitle(choiceOf(kind.strategy)), row: kind })),
  ]
}

/** Figures of 12 months side by side, a row for each kind and level. */
export function FigureTable<Row>({
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
    // Figures side by side need their width at very large text: the table scrolls, not the page.
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
