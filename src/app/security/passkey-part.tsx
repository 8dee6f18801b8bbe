import { useRef, useState, type RefObject } from 'react'
import type { Passkey } from '#contract/factors.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { useCanUsePasskeys } from '#app/passkeys/use-can-use-passkeys.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { formFields, TextField } from '#app/ui/forms/fields.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { ConfirmedButton } from '#app/ui/overlays/confirmed-button.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { AddPasskeyButton } from './add-passkey-button.tsx'
import {
  showChange,
  showSecurityFailure,
  useRemovePasskey,
  useRenamePasskey,
} from './security-queries.ts'

export function PasskeyPart({
  passkeys,
  onCodes,
}: {
  passkeys: readonly Passkey[]
  onCodes: (codes: readonly string[]) => void
}) {
  const canUse = useCanUsePasskeys()
  const list = useRef<HTMLUListElement>(null)
  return (
    <Section title={t('Passkeys')}>
      <p className="pb-3 text-16 text-ink2">
        {t(
          'Sign in by fingerprint, face or device PIN. There is nothing to remember ' +
            'and nothing that a fake site could steal.',
        )}
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t('Passkeys')}
        className={
          'divide-y divide-hairline border-hairline outline-none not-empty:mb-4 ' +
          'not-empty:border-y'
        }
      >
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} list={list} />
        ))}
      </ul>
      <div className="min-h-13">
        {canUse === true && (
          <div className="grid">
            <AddPasskeyButton onCodes={onCodes} />
          </div>
        )}
        {canUse === false && (
          <p className="text-14 text-ink2">
            {t(
              'This browser or this address does not support passkeys. Use an ' +
                'authenticator app instead.',
            )}
          </p>
        )}
      </div>
    </Section>
  )
}

function PasskeyRow({
  passkey,
  list,
}: {
  passkey: Passkey
  list: RefObject<HTMLUListElement | null>
}) {
  const { name, createdAt, lastUsedAt } = passkey
  const { dayText, momentText } = useDates()
  const [isRenaming, setIsRenaming] = useState(false)
  return (
    <li className="py-3">
      <p className="text-16 font-semibold wrap-anywhere">{name}</p>
      <p className="text-14 text-ink2">
        {lastUsedAt === null
          ? t('Added {day}', { day: dayText(createdAt) })
          : t('Added {day} · last used {moment}', {
              day: dayText(createdAt),
              moment: momentText(lastUsedAt),
            })}
      </p>
      <div className="-mx-2 flex flex-wrap gap-x-3">
        <Button
          look="quiet"
          aria-label={t('Rename {name}', { name })}
          onClick={() => setIsRenaming(true)}
        >
          {t('Rename')}
        </Button>
        <RemoveButton passkey={passkey} list={list} />
      </div>
      <RenamePasskeySheet
        passkey={passkey}
        open={isRenaming}
        onClose={() => setIsRenaming(false)}
      />
    </li>
  )
}

function RemoveButton({
  passkey: { id, name },
  list,
}: {
  passkey: Passkey
  list: RefObject<HTMLUListElement | null>
}) {
  const remove = useRemovePasskey()
  const confirmed = () =>
    remove.mutate(
      { id, name },
      {
        onSuccess: () => {
          list.current?.focus()
          showChange(t('Passkey removed'))
        },
        onError: (error) => showSecurityFailure(error, t('Passkey not removed')),
      },
    )
  return (
    <ConfirmedButton
      look="quiet-danger"
      aria-label={t('Remove {name}', { name })}
      pending={remove.isPending}
      pendingLabel={t('Removing…')}
      question={t('Remove the passkey {name}?', { name })}
      why={t('It no longer signs you in. Delete it on the device too.')}
      confirmLabel={t('Remove')}
      onConfirm={confirmed}
    >
      {t('Remove')}
    </ConfirmedButton>
  )
}

function RenamePasskeySheet({
  passkey,
  open,
  onClose,
}: {
  passkey: Passkey
  open: boolean
  onClose: () => void
}) {
  return (
    <Sheet open={open} onClose={onClose} title={t('Rename passkey')}>
      <NameForm passkey={passkey} onDone={onClose} />
    </Sheet>
  )
}

/** Without a toast, because the new name is visible behind the sheet. */
function NameForm({
  passkey: { id, name: old },
  onDone,
}: {
  passkey: Passkey
  onDone: () => void
}) {
  const rename = useRenamePasskey()
  const form = useForm({
    request: rename,
    read: (element) => formFields(element, ['name']),
    check: ({ name }) => ({ name: () => checkLength('passkeyName', name) }),
    send: ({ name }) => rename.mutateAsync({ id, name }),
    onDone,
    fail: (error) => showSecurityFailure(error, t('Name not changed')),
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <TextField label={t('Name')} autoComplete="off" defaultValue={old} {...form.field('name')} />
      <Submit form={form} pendingLabel={t('Saving…')}>
        {t('Save')}
      </Submit>
    </Form>
  )
}
