import type { Evidence } from '#contract/evidence.ts'
import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { useNamesTargets } from './names-targets.ts'

/** Explains why there are no figures: they are being computed, or there are too few real prices. */
export function NoEvidence({
  evidence,
  onRetry,
}: {
  evidence: Exclude<Evidence, { state: 'figures' }>
  onRetry: () => void
}) {
  const isComputing = evidence.state === 'computing'
  const namesTargets = useNamesTargets()
  const note = useConfig().data?.feed.note
  return (
    <div className="flex max-w-page flex-col gap-5 px-5 pt-4">
      <h2 className="text-28 font-semibold tracking-[-0.01em] text-balance">{evidence.sentence}</h2>
      <p className="text-17 text-pretty text-ink2">
        {isComputing
          ? t(
              'Thousands of bots are being replayed over years of prices. This takes a few seconds.',
            )
          : t(
              'Results on a simulated or very short market say nothing about real coins, so no figures are shown here.',
            )}
        {!isComputing &&
          namesTargets &&
          ` ${t('The returns that a risk level names are its target, not a promise: you can lose money.')}`}
      </p>
      {note !== undefined && <p className="text-17 text-pretty text-ink2">{note}</p>}
      {isComputing ? (
        <Button onClick={onRetry}>{t('Refresh')}</Button>
      ) : (
        <>
          <p className="text-17 text-pretty text-ink2">
            {t(
              'With years of real prices, this page shows what every twelve months of history would have given with each risk level, after all costs: median, worst, best, and how many lost money.',
            )}
          </p>
          <LinkButton href="/" look="outline">
            {t('Back')}
          </LinkButton>
        </>
      )}
    </div>
  )
}
