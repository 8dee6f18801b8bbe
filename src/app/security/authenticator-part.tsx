import { useEffect, useRef, useState, type RefObject } from 'react'
import type { AuthenticatorStart } from '#contract/factors.ts'
import { t } from '#words/words.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { AuthenticatorSheet } from './authenticator-sheet.tsx'
import { showChange, showSecurityFailure } from './security-toasts.ts'
import { useRemoveAuthenticator, useStartAuthenticator } from './security-queries.ts'

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

/** A change of the state replaces the button, and with it the focus: it stays in the part. */
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
  const [asking, setAsking] = useState(false)
  const remove = useRemoveAuthenticator()
  const confirm = () => {
    setAsking(false)
    remove.mutate(undefined, {
      onSuccess: () => showChange(t('Authenticator app removed')),
      onError: (error) => showSecurityFailure(error, t('Authenticator app not removed')),
    })
  }
  return (
    <>
      <Button
        look="quiet-danger"
        className="-ml-2"
        pending={remove.isPending}
        pendingLabel={t('Removing...')}
        onClick={() => setAsking(true)}
      >
        {t('Remove the authenticator app')}
      </Button>
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={confirm}
        question={t('Remove the authenticator app?')}
        confirmLabel={t('Remove')}
      >
        {t('Its codes no longer count.')}
      </ConfirmDialog>
    </>
  )
}
