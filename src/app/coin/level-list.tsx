import type { LevelNow } from '#contract/market.ts'
import { riskTitle } from '#words/names.ts'
import { t } from '#words/words.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'

/**
 * The exposure that each risk level wants on this coin now, with the reason that the engine gave.
 */
export function LevelList({
  symbol,
  levels,
}: {
  symbol: string
  levels: readonly LevelNow[] | undefined
}) {
  const { momentText } = useMarketTime()
  if (levels?.length === 0) return null
  return (
    <section aria-labelledby="levels" className="pt-8">
      <h2 id="levels" className="text-20 font-semibold">
        {t('What bots do now')}
      </h2>
      <p className="pt-1 text-14 text-ink2">
        {levels?.[0]
          ? t(
              'The part of its {coin} money that each risk level wants invested, decided on {moment}.',
              { coin: symbol, moment: momentText(levels[0].decidedAt) },
            )
          : t('The part of its {coin} money that each risk level wants invested.', {
              coin: symbol,
            })}
      </p>
      {levels ? (
        <ul className="divide-y divide-hairline">
          {levels.map((level) => (
            <Level key={level.riskLevel} level={level} />
          ))}
        </ul>
      ) : (
        <Skeleton className="mt-3 h-64 w-full" />
      )}
    </section>
  )
}

function Level({ level: { riskLevel, wantedPercent, reason } }: { level: LevelNow }) {
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-16 font-semibold">
        <span>{riskTitle(riskLevel)}</span>
        <span>{t('{percent}% invested', { percent: wantedPercent })}</span>
      </p>
      <span
        aria-hidden="true"
        className="my-1.5 block h-1.5 overflow-hidden rounded-full bg-raised"
      >
        <span
          className="block h-full bg-ink forced-colors:bg-[CanvasText]"
          style={{ width: `${wantedPercent}%` }}
        />
      </span>
      <p className="text-14 text-ink2">{reason}</p>
    </li>
  )
}
