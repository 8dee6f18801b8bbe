import { useEffect, useRef, useState, type RefObject } from 'react'
import { encode } from 'uqr'
import type { AuthenticatorStart } from '#contract/factors.ts'
import { authenticatorCodeOf } from '#core/auth/recovery-code.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { buttonStyle } from '#app/ui/buttons/button.tsx'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { formFields, TextField } from '#app/ui/forms/fields.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { ConfirmedButton } from '#app/ui/overlays/confirmed-button.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import {
  showChange,
  showSecurityFailure,
  useAddAuthenticator,
  useRemoveAuthenticator,
  useStartAuthenticator,
} from './security-queries.ts'

type Props = { since: string | null; onCodes: (codes: readonly string[]) => void }

export function AuthenticatorPart({ since, onCodes }: Props) {
  const { dayText } = useDates()
  const part = useRef<HTMLDivElement>(null)
  useKeptFocus(part, since)
  return (
    <Section title={t('Authenticator app')}>
      <div ref={part} tabIndex={-1} className="outline-none">
        <p className="pb-3 text-16 text-ink2">
          {since === null
            ? t('An app on your phone shows six digits, which change every 30 seconds.')
            : t('Set up on {day}', { day: dayText(since) })}
        </p>
        {since === null ? <StartButton onCodes={onCodes} /> : <RemoveButton />}
      </div>
    </Section>
  )
}

/** Moves the focus to the part after a change of state, which removes the focused button. */
export function useKeptFocus(part: RefObject<HTMLDivElement | null>, state: string | null): void {
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state && document.activeElement === document.body) part.current?.focus()
    before.current = state
  }, [part, state])
}

function StartButton({ onCodes }: Pick<Props, 'onCodes'>) {
  const start = useStartAuthenticator()
  const [started, setStarted] = useState<AuthenticatorStart>()
  const [isOpen, setIsOpen] = useState(false)
  const press = () =>
    start.mutate(undefined, {
      onSuccess: (made) => {
        setStarted(made)
        setIsOpen(true)
      },
      onError: (error) => showSecurityFailure(error, t('Authenticator app not added')),
    })
  const confirmed = (codes: readonly string[]) => {
    setIsOpen(false)
    showChange(t('Authenticator app added'))
    onCodes(codes)
  }
  return (
    <div className="grid">
      <ActionButton look="outline" pending={start.isPending} onClick={press}>
        {t('Set up an authenticator app')}
      </ActionButton>
      {started && (
        <AuthenticatorSheet
          start={started}
          open={isOpen}
          onClose={() => setIsOpen(false)}
          onConfirmed={confirmed}
        />
      )}
    </div>
  )
}

function RemoveButton() {
  const remove = useRemoveAuthenticator()
  const confirmed = () =>
    remove.mutate(undefined, {
      onSuccess: () => showChange(t('Authenticator app removed')),
      onError: (error) => showSecurityFailure(error, t('Authenticator app not removed')),
    })
  return (
    <ConfirmedButton
      look="quiet-danger"
      className="-ml-2"
      pending={remove.isPending}
      pendingLabel={t('Removing…')}
      question={t('Remove the authenticator app?')}
      why={t('Its codes will no longer work.')}
      confirmLabel={t('Remove')}
      onConfirm={confirmed}
    >
      {t('Remove the authenticator app')}
    </ConfirmedButton>
  )
}

type AuthenticatorSheetProps = {
  start: AuthenticatorStart
  open: boolean
  onClose: () => void
  onConfirmed: (codes: readonly string[]) => void
}

function AuthenticatorSheet({
  start: { secret, uri },
  open,
  onClose,
  onConfirmed,
}: AuthenticatorSheetProps) {
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

function CodeForm({ onConfirmed }: Pick<AuthenticatorSheetProps, 'onConfirmed'>) {
  const confirm = useAddAuthenticator()
  const form = useForm({
    request: confirm,
    read: (element) => formFields(element, ['code']),
    check: ({ code }) => ({ code: () => readCode(code) }),
    send: ({ code }) => confirm.mutateAsync({ code: readCode(code) }),
    onDone: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
    fail: (error) => showSecurityFailure(error, t('Authenticator app not added')),
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <TextField
        label={t('Six-digit code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        {...form.field('code')}
      />
      <Submit form={form} pendingLabel={t('Confirming…')}>
        {t('Confirm')}
      </Submit>
    </Form>
  )
}

function readCode(typed: string): string {
  const code = authenticatorCodeOf(typed)
  if (code === undefined) throw new Refusal('wrong-code')
  return code
}

const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** Dark on light in both themes, because many scanners need that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 3 })
  const path = data
    .map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-56 max-w-full rounded-control forced-color-adjust-none"
    >
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}
