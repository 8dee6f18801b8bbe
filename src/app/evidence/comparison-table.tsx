import type { EvidenceFigures } from '#contract/evidence.ts'
import { Percent } from '../ui/percent.tsx'
import { Section } from '../ui/section.tsx'

type Column = Pick<EvidenceFigures['buyAndHold'], 'median' | 'worst' | 'best' | 'lower' | 'upper' | 'losingPercent' | 'deepestFall'>

const ROWS: readonly { name: string; of: (column: Column) => string; sign: 'always' | 'never' }[] = [
  { name: 'Best', of: ({ best }) => best.percent, sign: 'always' },
  { name: 'Upper tenth', of: ({ upper }) => upper.percent, sign: 'always' },
  { name: 'Median', of: ({ median }) => median.percent, sign: 'always' },
  { name: 'Lower tenth', of: ({ lower }) => lower.percent, sign: 'always' },
  { name: 'Worst', of: ({ worst }) => worst.percent, sign: 'always' },
  { name: 'Lost money', of: ({ losingPercent }) => losingPercent, sign: 'never' },
  { name: 'Deepest fall', of: ({ deepestFall }) => deepestFall, sign: 'never' },
]

/** All levels side by side, with the same money simply held in the same coins. */
export function ComparisonTable({ figures: { levels, buyAndHold } }: { figures: EvidenceFigures }) {
  const columns: readonly { name: string; column: Column }[] = [
    ...levels.map((level) => ({ name: level.riskLevel, column: level })),
    { name: 'Buy and hold', column: buyAndHold },
  ]
  return (
    <Section title="Side by side">
      <div tabIndex={0} role="region" aria-label="Side by side, all figures" className="-mx-5 overflow-x-auto px-5">
        <table className="w-full min-w-max text-right text-12 min-[430px]:text-14">
          <thead>
            <tr className="border-b border-ink align-bottom">
              <th scope="col" className="py-2 text-left font-normal text-ink2">
                12 months
              </th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" className="max-w-18 py-2 pl-2 font-semibold first-letter:uppercase">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map(({ name, of, sign }) => (
              <tr key={name} className="border-b border-hairline">
                <th scope="row" className="text-left font-normal whitespace-nowrap text-ink2">
                  {name}
                </th>
                {columns.map((each) => (
                  <td key={each.name} className="py-3 pl-2">
                    <Percent value={of(each.column)} sign={sign} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="pt-3 text-14 text-pretty text-ink2">
        Buy and hold is the same money put into the same coins on the same day and sold 12 months later, without our fee. A tenth of all start days gave
        less than the lower tenth, a tenth more than the upper.
      </p>
    </Section>
  )
}
