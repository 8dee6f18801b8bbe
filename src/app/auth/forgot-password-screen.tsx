import { useState } from 'react'
import { LONGEST_EMAIL } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import { useAction } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { useConfig } from '#app/api/queries.ts'
import { ContactSupport } from '#app/shell/contact-support.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { formFields, TextField } from '#app/ui/forms/fields.tsx'
import { AuthFrame, DoneNote } from './auth-frame.tsx'

export function ForgotPasswordScreen() {
  const mail = useConfig().data?.mail
  const [sent, setSent] = useState(false)
  return (
    <AuthFrame screen="forgotPassword">
      {mail === 'none' ? (
        <NoMail />
      ) : sent ? (
        <Sent isKept={mail === 'mailbox'} />
      ) : (
        <AskForm onSent={() => setSent(true)} />
      )}
    </AuthFrame>
  )
}

function AskForm({ onSent }: { onSent: () => void }) {
  const ask = useAction('requestReset', (account: string) =>
    call('requestReset', { body: { account } }),
  )
  const form = useForm({
    action: 'requestReset',
    request: ask,
    read: (element) => formFields(element, ['account']),
    check: ({ account }) => ({ account: () => checkAccount(account) }),
    send: ({ account }) => ask.mutateAsync(account),
    onDone: onSent,
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <p className="text-16 text-ink2">
        {t('We send a link to the verified email address of your account.')}
      </p>
      <TextField
        label={t('Username or email')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('account')}
      />
      <Submit form={form} pendingLabel={t('Sending…')}>
        {t('Send the link')}
      </Submit>
    </Form>
  )
}

function checkAccount(account: string): void {
  if (account === '') throw new Refusal('required')
  if (account.length > LONGEST_EMAIL)
    throw new Refusal('text-too-long', { values: { maximum: String(LONGEST_EMAIL) } })
}

/** Shows the same text whether or not the account exists. */
function Sent({ isKept }: { isKept: boolean }) {
  return (
    <DoneNote
      title={t('Check your email')}
      action={<LinkButton href="/login">{t('Back to sign-in')}</LinkButton>}
    >
      {t(
        'If that account exists and has a verified email address, a link is on its ' +
          'way. It works for an hour.',
      )}
      {isKept && ` ${t('This demo sends no mail: ask its operator for the link.')}`}
    </DoneNote>
  )
}

function NoMail() {
  return (
    <>
      <p className="text-16 text-ink2">
        {t('No mail can be sent from here. Support can help you set a new password.')}
      </p>
      <ContactSupport className="mt-4" />
    </>
  )
}
