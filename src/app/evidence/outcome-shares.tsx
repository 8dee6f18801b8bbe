import type { LevelEvidence } from '#contract/evidence.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { t } from '#words/words.ts'
import { Percent } from '#app/ui/money/percent.tsx'

/** 100 percent at scale 8. */
const ALL = 10_000_000_000n

/**
 * The shares of all windows that lost money, gained less than the target, or reached it. Without
 * targets, those that lost money and the rest.
 */
export function OutcomeShares({
  level: { losingPercent, reachedPercent, target },
  namesTargets,
}: {
  level: LevelEvidence
  namesTargets: boolean
}) {
  const rest = unitsToDecimal(ALL - units(losingPercent), 2)
  const between = unitsToDecimal(units(rest) - units(reachedPercent), 2)
  return (
    <>
      <div aria-hidden="true" className="mt-4 flex h-3 gap-0.5 overflow-hidden rounded-full">
        <span className="bg-loss" style={{ width: `${losingPercent}%` }} />
        {namesTargets && <span className="flex-1 bg-control" />}
        <span className="bg-gain" style={{ width: `${namesTargets ? reachedPercent : rest}%` }} />
      </div>
      <dl className="mt-3 flex flex-col gap-1.5 text-16">
        <Share color="bg-loss" name={t('lost money')} percent={losingPercent} />
        {namesTargets && (
          <Share
            color="bg-control"
            name={t('gained less than {percent}%', { percent: target.from })}
            percent={between}
          />
        )}
        {namesTargets && (
          <Share
            color="bg-gain"
            name={t('gained {percent}% or more', { percent: target.from })}
            percent={reachedPercent}
          />
        )}
        {!namesTargets && <Share color="bg-gain" name={t('lost nothing')} percent={rest} />}
      </dl>
    </>
  )
}

function Share({ color, name, percent }: { color: string; name: string; percent: string }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2.5">
      <dt className="order-3 min-w-[min(100%,8rem)] flex-1">{name}</dt>
      <dd className="order-2 min-w-16 text-right font-semibold">
        <Percent value={percent} sign="never" />
      </dd>
      <span aria-hidden="true" className={`order-1 size-3 shrink-0 rounded-full ${color}`} />
    </div>
  )
}

function units(percent: string): bigint {
  return parseDecimal(percent) ?? 0n
}
