import { useState, type SubmitEvent } from 'react'
import type { AuthenticatorStart } from '#contract/factors.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { authenticatorCodeOf } from '#core/auth/recovery-code.ts'
import { say, t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { buttonStyle } from '#app/ui/buttons/button.tsx'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { QrCode } from './qr-code.tsx'
import { showSecurityFailure } from './security-toasts.ts'
import { useAddAuthenticator } from './security-queries.ts'

type Props = {
  start: AuthenticatorStart
  open: boolean
  onClose: () => void
  onConfirmed: (codes: readonly string[]) => void
}

/** The secret goes into the app, and a first code comes back. */
export function AuthenticatorSheet({ start: { secret, uri }, open, onClose, onConfirmed }: Props) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('Set up the app')}
      description={t(
        'Scan this with the app, or enter the key by hand. Then type the six digits that it shows.',
      )}
    >
      <QrCode text={uri} label={t('QR code for your authenticator app')} />
      <p className="mt-4 text-14 text-ink2">{t('Key')}</p>
      <p className="text-16 tabular-nums wrap-anywhere select-all">{grouped(secret)}</p>
      <div className="-mx-2 mb-4 flex flex-wrap gap-x-3">
        <CopyButton name="key" text={secret} className="" />
        <a href={uri} className={buttonStyle('quiet')}>
          {t('Open the app on this device')}
        </a>
      </div>
      <CodeForm key={secret} onConfirmed={onConfirmed} />
    </Sheet>
  )
}

function CodeForm({ onConfirmed }: Pick<Props, 'onConfirmed'>) {
  const confirm = useAddAuthenticator()
  const [error, setError] = useState<string>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const code = authenticatorCodeOf(String(new FormData(event.currentTarget).get('code') ?? ''))
    if (code === undefined) return setError(say(PROBLEMS['wrong-code'].message))
    confirm.mutate(
      { code },
      {
        onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
        onError: (failure) =>
          failure instanceof ApiError && failure.field
            ? setError(failure.message)
            : showSecurityFailure(failure, t('Authenticator app not added')),
      },
    )
  }
  return (
    <Form onSubmit={submit} onInput={() => setError(undefined)} className="flex flex-col gap-5">
      <TextField
        label={t('Six-digit code')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={error}
      />
      <ActionButton type="submit" pending={confirm.isPending} pendingLabel={t('Confirming...')}>
        {t('Confirm')}
      </ActionButton>
    </Form>
  )
}

/** In groups of four, as people type it. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
