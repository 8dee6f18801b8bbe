import { checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { useUser } from '#app/api/queries.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import type { Prove } from './use-proof.ts'
import { useProofForm } from './use-proof-form.ts'

export function PasswordProof({ prove }: { prove: Prove }) {
  const username = useUser().data?.username
  const { error, wiring } = useProofForm({
    name: 'password',
    check: (typed) => checkLength('password', typed),
    give: (password) => ({ password }),
    prove,
  })
  return (
    <Form {...wiring} className="flex flex-col gap-5">
      {/* Tells password managers whose password this is. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={username ?? ''}
        readOnly
        hidden
      />
      <PasswordField
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        error={error}
      />
      <ActionButton type="submit" pending={prove.isPending} pendingLabel={t('Confirming...')}>
        {t('Confirm')}
      </ActionButton>
      <FailureNote error={prove.error} action="makeProof" />
    </Form>
  )
}
