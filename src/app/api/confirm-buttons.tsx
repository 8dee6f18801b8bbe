import type { ReactNode } from 'react'
import { t } from '#words/words.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { FailureNote } from './failure-note.tsx'
import type { ActionName } from './actions-table.ts'

export function ConfirmButtons({
  action,
  request: { isPending, error },
  pendingLabel,
  onConfirm,
  onBack,
  children,
}: {
  action: ActionName | undefined
  request: { isPending: boolean; error: unknown }
  pendingLabel: string
  onConfirm: () => void
  onBack: () => void
  children: ReactNode
}) {
  return (
    <div className="flex flex-col gap-3">
      <ActionButton pending={isPending} pendingLabel={pendingLabel} onClick={onConfirm}>
        {children}
      </ActionButton>
      {action && <FailureNote error={error} action={action} />}
      <Button look="outline" disabled={isPending} onClick={onBack}>
        {t('Back')}
      </Button>
    </div>
  )
}
