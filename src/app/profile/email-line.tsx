import { lazy, Suspense, useState } from 'react'
import type { User } from '#contract/auth.ts'
import { screens } from '#contract/screens.ts'
import { t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useConfig } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useSendVerification } from './session-queries.ts'

const ChangeEmailSheet = lazy(async () => ({
  default: (await import('./change-email-sheet.tsx')).ChangeEmailSheet,
}))

export function EmailLine({ user }: { user: User }) {
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never')
  const mail = useConfig().data?.mail
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <div className="min-w-0 text-ink2">
          <p className="text-16 wrap-anywhere">{user.email ?? t('No email address')}</p>
          {user.email !== null && mail !== 'none' && (
            <p className="text-14">{user.emailVerified ? t('Verified') : t('Not verified')}</p>
          )}
        </div>
        <Button look="quiet" className="-mr-2" onClick={() => setSheet('open')}>
          {user.email === null ? t('Add email') : t('Change email')}
        </Button>
      </div>
      {mail !== 'none' && <Waiting user={user} />}
      {mail === 'mailbox' && (
        <p className="text-14 text-ink2">
          <Link
            href={screens.mailbox.path}
            className="inline-flex min-h-12 items-center font-semibold text-accent"
          >
            {t('Read your messages here: this demo sends no mail')}
          </Link>
        </p>
      )}
      <Suspense>
        {sheet !== 'never' && (
          <ChangeEmailSheet open={sheet === 'open'} onClose={() => setSheet('closed')} />
        )}
      </Suspense>
    </>
  )
}

function Waiting({ user: { email, emailVerified, pendingEmail } }: { user: User }) {
  const send = useSendVerification()
  const waiting = emailVerified ? pendingEmail : email
  if (waiting === null) return null
  const sentence = t('Open the link that we sent to {email}.', { email: waiting })
  const again = () =>
    send.mutate(undefined, {
      onSuccess: () => showToast({ title: t('Link sent'), description: sentence }),
      onError: (error) => showFailure(error, 'sendVerification'),
    })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      <p className="min-w-0 flex-[1_1_12rem] text-14 text-ink2 wrap-anywhere">{sentence}</p>
      <Button look="quiet" className="-mr-2" pending={send.isPending} onClick={again}>
        {t('Send again')}
      </Button>
    </div>
  )
}
