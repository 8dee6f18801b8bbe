import { useId, type ReactNode } from 'react'
import { withPercent } from '#words/figures.ts'
import { msg, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Link } from '#app/ui/frame/link.tsx'

/** A forecast of the next 24 hours of the market, with its past accuracy. */
export function NextDay({ className = '', children }: { className?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className="text-20 font-semibold">
        {useNextDayTitle()}
      </h2>
      <p className="pt-1 text-16 text-pretty">{children}</p>
      <NextDayNote />
    </section>
  )
}

export function useNextDayTitle(): string {
  const { speed = 1 } = useConfig().data?.feed ?? {}
  return speed > 1 ? t('Next 24 h (market time)') : t('Next 24 h')
}

/** Says that the model did not make a forecast. */
export const BY_FORMULA = msg('By the plain formula, while the model rests.')

export function NextDayNote() {
  const isMadeUp = useConfig().data?.feed.kind === 'simulated'
  return (
    <p className="text-14 text-pretty text-ink2">
      {isMadeUp && t('The model learned from recorded prices; these are made up.')}{' '}
      <Link href="/forecasts" className="underline">
        {t('How accurate such ranges were')}
      </Link>
    </p>
  )
}

/** `chances`: in whole percents, of a change of 1, 2, 3 … percent. */
export function chanceText(chances: readonly number[], percent: number): string {
  const chance = chances[percent - 1] ?? 0
  return chance === 0
    ? t('under {percent}', { percent: withPercent('1') })
    : withPercent(String(chance))
}
