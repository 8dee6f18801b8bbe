import { useState } from 'react'
import { t, tCount } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useEndOtherSessions } from './session-queries.ts'

/**
 * Signs out all other devices, after a confirmation. It has then nothing more to do and goes:
 * `onEnded` takes the focus.
 */
export function EndOtherSessions({ count, onEnded }: { count: number; onEnded: () => void }) {
  const [asking, setAsking] = useState(false)
  const end = useEndOtherSessions()
  const confirm = () => {
    setAsking(false)
    end.mutate(undefined, {
      onSuccess: () => {
        onEnded()
        showToast({
          title: t('Sessions ended'),
          description: t('You are signed in on this device alone.'),
        })
      },
      onError: (error) => showFailure(error, 'endOtherSessions'),
    })
  }
  return (
    <div className="grid pt-3">
      <Button
        look="quiet-danger"
        pending={end.isPending}
        pendingLabel={t('Ending...')}
        onClick={() => setAsking(true)}
      >
        {t('End all other sessions')}
      </Button>
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={confirm}
        question={tCount(count, {
          one: 'Sign out {count} other device?',
          other: 'Sign out {count} other devices?',
        })}
        confirmLabel={t('Sign out')}
      >
        {t('Each of these devices is signed out at once. Bots keep running.')}
      </ConfirmDialog>
    </div>
  )
}
