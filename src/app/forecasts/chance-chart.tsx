import type { SaidChance } from '#contract/forecasts.ts'
import { AHEAD } from '#core/forecast/rows.ts'
import { countText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { ChanceTable } from './chance-table.tsx'

const SIZE = 300
/** Percentage at the end of both axes. */
const MOST = 40

/** Forecast chances of a fall, and how often it happened. On the diagonal line, both are equal. */
export function ChanceChart({ chances }: { chances: readonly SaidChance[] }) {
  return (
    <>
      <p className="text-14 text-pretty text-ink2">
        {t(
          'Horizontal: the forecast chance of a fall of 5% or more within {hours} hours. Vertical: how often it happened. Both in percent; on the line, they are equal.',
          { hours: countText(AHEAD) },
        )}
      </p>
      <svg
        viewBox={`-34 -10 ${SIZE + 50} ${SIZE + 40}`}
        className="mt-3 w-full max-w-96 text-14"
        aria-hidden="true"
      >
        <path d={`M0 0V${SIZE}H${SIZE}`} className="fill-none stroke-control" />
        <path d={`M0 ${SIZE}L${SIZE} 0`} className="fill-none stroke-ink2" strokeDasharray="4 4" />
        {[10, 20, 30, 40].map((percent) => (
          <g key={percent} className="fill-ink2">
            <text x={across(percent)} y={SIZE + 20} textAnchor="middle">
              {percent}
            </text>
            <text x={-8} y={up(percent) + 5} textAnchor="end">
              {percent}
            </text>
          </g>
        ))}
        {chances.map((chance) => (
          <circle
            key={chance.from}
            cx={across(Number(chance.said))}
            cy={up(Number(chance.happenedPercent))}
            r={6}
            className="fill-accent"
          />
        ))}
      </svg>
      <ChanceTable caption={t('Forecast and happened')} head={t('Days')} chances={chances} />
    </>
  )
}

const across = (percent: number) => (SIZE * percent) / MOST
const up = (percent: number) => SIZE - across(percent)
