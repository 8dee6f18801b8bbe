import { t } from '#words/words.ts'
import { Money } from '#app/ui/money/money.tsx'
import { heldAt, type ChartTime, type Curve } from './curve.ts'

const ROWS = 12

/** A curve in figures, behind a disclosure: evenly spaced points from the start to the latest. */
export function ChartTable({
  curve,
  baseline,
  time,
  heads,
}: {
  curve: Curve
  baseline: Curve
  time: ChartTime
  heads: readonly [time: string, value: string, baseline: string]
}) {
  const last = curve.length - 1
  const count = Math.min(ROWS, curve.length)
  const points = Array.from(
    { length: count },
    (_, row) => curve[Math.round((row * last) / Math.max(1, count - 1))],
  ).flatMap((point) => point ?? [])
  return (
    <details className="px-5 text-14">
      <summary
        className={
          'flex min-h-12 cursor-pointer items-center text-ink2 underline decoration-ink3 ' +
          'decoration-dotted underline-offset-4'
        }
      >
        {t('Show as a table')}
      </summary>
      <table className="w-full text-right">
        <thead className="text-ink2">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="py-1 font-normal first:text-left">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, value }) => (
            <tr key={at} className="border-t border-hairline">
              <th scope="row" className="py-1 text-left font-normal">
                {time.momentText(at)}
              </th>
              <td>
                <Money amount={value} />
              </td>
              <td>
                <Money amount={heldAt(baseline, at) ?? '0'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
