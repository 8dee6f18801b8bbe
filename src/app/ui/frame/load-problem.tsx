import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'

/** Says what could not be loaded, with a button to retry. */
export function LoadProblem({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className={
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-y ' +
        'border-hairline py-2'
      }
    >
      <p className="text-16 text-ink">{message}</p>
      <Button look="quiet" className="-mr-2" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </div>
  )
}
