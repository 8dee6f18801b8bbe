import { msg, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Link } from '#app/ui/frame/link.tsx'

export function useNextDayTitle(): string {
  const { speed = 1 } = useConfig().data?.feed ?? {}
  return speed > 1 ? t('Next 24 h (market time)') : t('Next 24 h')
}

/** Notes that the forecast is the plain formula's and not the model's. */
export const BY_FORMULA = msg('By the plain formula, while the model rests.')

export function NextDayNote() {
  const isMadeUp = useConfig().data?.feed.kind === 'simulated'
  return (
    <p className="text-14 text-pretty text-ink2">
      {isMadeUp && t('The model was trained on recorded prices; these are simulated.')}{' '}
      <Link href="/forecasts" className="underline">
        {t('How accurate such ranges were')}
      </Link>
    </p>
  )
}
