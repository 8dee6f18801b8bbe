import { t } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { DoneNote } from './done-note.tsx'
import { DisownList } from './disown-list.tsx'
import { DeadLink } from './dead-link.tsx'
import { isDead, useDisown, useDisownPreview, useLinkToken } from './link-queries.ts'

/**
 * Locks an account from a message about something that its owner did not do. It asks for a press,
 * since mail programs open links by themselves.
 */
export function NotMeScreen() {
  const token = useLinkToken()
  const disown = useDisown()
  const preview = useDisownPreview(token)
  return (
    <AuthFrame screen="notMe">
      {/* As high as the question, so that nothing below moves once the link turns out to be dead. */}
      <div className="min-h-64">
        {disown.isSuccess ? (
          <DoneNote
            title={t('Your account is locked')}
            action={<LinkButton href="/forgot-password">{t('Set a new password')}</LinkButton>}
          >
            {t(
              'Every device was signed out, and no money leaves. Set a new password to open your account again; your bots keep running.',
            )}
          </DoneNote>
        ) : isDead(token, disown.error ?? preview.error) ? (
          <DeadLink href="/forgot-password">{t('Set a new password')}</DeadLink>
        ) : (
          <div className="grid gap-5">
            <p className="text-16 text-ink2">
              {t(
                'Press the button if you did not do what the message says. Every device is signed out, your password stops working, and withdrawals stop until you set a new one by email.',
              )}
            </p>
            {preview.data && <DisownList preview={preview.data} />}
            <Button
              look="danger"
              pending={disown.isPending}
              pendingLabel={t('Locking...')}
              onClick={() =>
                disown.mutate(token ?? '', { onError: (error) => showFailure(error, 'disown') })
              }
            >
              {t('Lock my account')}
            </Button>
            <FailureNote error={disown.error} action="disown" />
          </div>
        )}
      </div>
    </AuthFrame>
  )
}
