import { t } from '#words/words.ts'
import { useAction } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Button, LinkButton } from '#app/ui/buttons/button.tsx'
import { AuthFrame, DeadLink, DoneNote, isDead, useLinkToken } from './auth-frame.tsx'

/** Requires a press, because programs that scan mail open links and must not verify the address. */
export function VerifyEmailScreen() {
  const token = useLinkToken()
  const verify = useAction('verifyEmail', () =>
    call('verifyEmail', { body: { token: token ?? '' } }),
  )
  return (
    <AuthFrame screen="verifyEmail">
      {verify.data ? (
        <DoneNote
          title={t('Address verified')}
          action={<LinkButton href="/">{t('Continue')}</LinkButton>}
        >
          {t('Messages about your account go to {email}.', { email: verify.data.email })}
        </DoneNote>
      ) : isDead(token, verify.error) ? (
        <DeadLink href="/">{t('Go to Home')}</DeadLink>
      ) : (
        <div className="grid gap-5">
          <p className="text-16 text-ink2">
            {t('Press the button if you have an account here and this is your address.')}
          </p>
          <Button
            pending={verify.isPending}
            pendingLabel={t('Verifying…')}
            onClick={() =>
              verify.mutate(undefined, { onError: (error) => showFailure(error, 'verifyEmail') })
            }
          >
            {t('Verify this address')}
          </Button>
          <FailureNote error={verify.error} action="verifyEmail" />
        </div>
      )}
    </AuthFrame>
  )
}
