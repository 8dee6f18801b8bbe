import { useState, type SubmitEvent } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import type { ProofMethod } from '#contract/wire.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { isForPeople, showFailure } from '#app/api/failure-toast.ts'
import { useUser } from '#app/api/queries.ts'
import { CodeField } from '#app/passkeys/code-field.tsx'
import { PasskeyButton } from '#app/passkeys/passkey-button.tsx'
import { useCanUsePasskeys } from '#app/passkeys/use-can-use-passkeys.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Form, formFields, PasswordField } from '#app/ui/forms/form.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { useProof, type Given, type Prove, type ShownQuestion } from './asked-proof.ts'

export function ProofSheet({ question }: { question: ShownQuestion }) {
  const { about, isOpen, number, settle } = question
  return (
    <Sheet
      open={isOpen}
      onClose={() => settle(undefined)}
      title={t("Confirm it's you")}
      description={about}
    >
      <Methods key={number} question={question} />
    </Sheet>
  )
}

/** With a second factor, the password alone is not accepted. */
function Methods({ question }: { question: ShownQuestion }) {
  const prove = useProof(question)
  return question.methods.includes('password') ? (
    <PasswordProof prove={prove} />
  ) : (
    <CodeProof methods={question.methods} prove={prove} />
  )
}

/**
 * With a passkey, where this browser can use one; with a code of the authenticator app; or with a
 * recovery code in place of both.
 */
function CodeProof({ methods, prove }: { methods: readonly ProofMethod[]; prove: Prove }) {
  const hasPasskey = useCanUsePasskeys() === true && methods.includes('passkey')
  const check = (typed: string) => {
    if (typed === '') throw new Refusal('required', { field: 'code' })
  }
  const { error, wiring } = useProofForm({ name: 'code', check, give: (code) => ({ code }), prove })
  return (
    <div className="flex flex-col gap-5">
      {hasPasskey && (
        <PasskeyButton
          label={t('Confirm with a passkey')}
          use={(passkey) => prove.mutateAsync({ passkey })}
        />
      )}
      <Form {...wiring} className="flex flex-col gap-5">
        <CodeField methods={methods} error={error} />
        <ActionButton
          type="submit"
          look={hasPasskey ? 'outline' : 'primary'}
          pending={prove.isPending}
          pendingLabel={t('Confirming…')}
        >
          {t('Confirm')}
        </ActionButton>
        <FailureNote error={prove.error} action="makeProof" />
      </Form>
    </div>
  )
}

function PasswordProof({ prove }: { prove: Prove }) {
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
      <ActionButton type="submit" pending={prove.isPending} pendingLabel={t('Confirming…')}>
        {t('Confirm')}
      </ActionButton>
      <FailureNote error={prove.error} action="makeProof" />
    </Form>
  )
}

type Options = {
  name: 'password' | 'code'
  check: (typed: string) => void
  give: (typed: string) => Given
  prove: Prove
}

function useProofForm({ name, check, give, prove }: Options) {
  const [error, setError] = useState<string>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const typed = formFields(event.currentTarget, [name])[name]
    const wrong = refusalsOf({ typed: () => check(typed) }).typed
    setError(wrong)
    if (wrong !== undefined) return
    prove.mutate(give(typed), {
      onError: (failure) =>
        isForPeople(failure) ? setError(failure.message) : showFailure(failure, 'makeProof'),
    })
  }
  return { error, wiring: { onSubmit: submit, onInput: () => setError(undefined) } } as const
}
