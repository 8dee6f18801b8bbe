import { say, t } from '#words/words.ts'
import { ApiError, LATE } from '#app/api/call.ts'
import { Button } from '#app/ui/buttons/button.tsx'

/**
 * Shown if the server does not answer, because then it is unknown whether somebody is signed in.
 */
export function UnreachableScreen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isLate = error instanceof ApiError && error.isLate
  const heading = isLate ? say(LATE) : t('We cannot reach the server')
  return (
    <main className="mx-auto grid min-h-dvh max-w-page content-center gap-4 px-5 text-center">
      <title>{`${heading} · Trading Bot`}</title>
      <h1 className="text-28 font-semibold">{heading}</h1>
      <p className="text-16 text-ink2">{t('Your money is safe, and your bots keep working.')}</p>
      <Button look="outline" className="justify-self-center" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </main>
  )
}
