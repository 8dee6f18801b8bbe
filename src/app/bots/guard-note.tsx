import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { t } from '#words/words.ts'
import { GuardTable } from '#app/evidence/guard-table.tsx'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'

/** The limits of guards and their past, in the place where they are set. */
export function GuardNote({ strategy }: { strategy: StrategyKey }) {
  return (
    <>
      <p className="text-14 text-pretty text-ink2">
        {t(
          'Guards look at the close of each market hour, and the bot sells at the next price: a fast fall can take it further than you chose. A sale costs a little, and whoever is out of the market misses its rises too.',
        )}
      </p>
      <section aria-label={t('Guards in the past')}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h3 className="text-16 font-semibold">{t('Guards in the past')}</h3>
          <HypotheticalMark />
        </div>
        <GuardTable strategy={strategy} />
      </section>
    </>
  )
}
