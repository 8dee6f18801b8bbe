import { lazy, Suspense, useState, type ReactNode } from 'react'
import { t } from '#words/words.ts'
import { hasUnfinishedWork } from '#app/ui/device/unfinished-work.ts'

const loadDialog = () => import('./confirm-dialog.tsx')
const ConfirmDialog = lazy(async () => ({ default: (await loadDialog()).ConfirmDialog }))

type Reload = { reload: () => void; question: string; confirmLabel: string; reason: string }

/**
 * Reloads, after a confirmation if typed text would be lost. Returns the function that starts the
 * reload, and the dialog to render.
 */
export function useCarefulReload({ reload, question, confirmLabel, reason }: Reload): {
  begin: () => void
  dialog: ReactNode
} {
  const [asking, setAsking] = useState<'never' | 'open' | 'closed'>('never')
  // Uses the browser's own dialog if the server no longer has the code of ours.
  const ask = () =>
    loadDialog().then(
      () => setAsking('open'),
      () => window.confirm(question) && reload(),
    )
  const dialog = asking !== 'never' && (
    <Suspense>
      <ConfirmDialog
        open={asking === 'open'}
        onCancel={() => setAsking('closed')}
        onConfirm={reload}
        question={question}
        confirmLabel={confirmLabel}
        cancelLabel={t('Finish first')}
        tone="accent"
      >
        {reason}
      </ConfirmDialog>
    </Suspense>
  )
  return { begin: () => (hasUnfinishedWork(document) ? void ask() : reload()), dialog }
}
