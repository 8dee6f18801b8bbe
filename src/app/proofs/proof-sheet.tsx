import type { ProofMethod } from '#contract/wire.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm, type Checks } from '#app/api/form.tsx'
import { isForPeople } from '#app/api/failure-toast.ts'
import { useUser } from '#app/api/queries.ts'
import { CodeField } from '#app/passkeys/code-field.tsx'
import { PasskeyButton } from '#app/passkeys/passkey-button.tsx'
import { useCanUsePasskeys } from '#app/passkeys/use-can-use-passkeys.ts'
import { formFields, PasswordField } from '#app/ui/forms/fields.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { useProof, type ProofInput, type Prove, type ShownQuestion } from './asked-proof.ts'

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

/**
 * The methods of proof. With a second factor, a password is not offered, because alone it is not
 * accepted.
 */
function Methods({ question }: { question: ShownQuestion }) {
  const prove = useProof(question)
  return question.methods.includes('password') ? (
    <PasswordProof prove={prove} />
  ) : (
    <CodeProof methods={question.methods} prove={prove} />
  )
}

/**
 * Offers a passkey, if this browser can use one; a code of the authenticator app; or a recovery
 * code in place of either.
 */
function CodeProof({ methods, prove }: { methods: readonly ProofMethod[]; prove: Prove }) {
  const hasPasskey = useCanUsePasskeys() === true && methods.includes('passkey')
  const check = (typed: string) => {
    if (typed === '') throw new Refusal('required', { field: 'code' })
  }
  const form = useProofForm({ name: 'code', check, give: (code) => ({ code }), prove })
  return (
    <div className="flex flex-col gap-5">
      {hasPasskey && (
        <PasskeyButton
          label={t('Confirm with a passkey')}
          use={(passkey) => prove.mutateAsync({ passkey })}
        />
      )}
      <Form form={form} className="flex flex-col gap-5">
        <CodeField methods={methods} error={form.errors.code} />
        <Submit
          form={form}
          look={hasPasskey ? 'outline' : 'primary'}
          pendingLabel={t('Confirming…')}
        >
          {t('Confirm')}
        </Submit>
      </Form>
    </div>
  )
}

function PasswordProof({ prove }: { prove: Prove }) {
  const username = useUser().data?.username
  const form = useProofForm({
    name: 'password',
    check: (typed) => checkLength('password', typed),
    give: (password) => ({ password }),
    prove,
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
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
        autoComplete="current-password"
        {...form.field('password')}
      />
      <Submit form={form} pendingLabel={t('Confirming…')}>
        {t('Confirm')}
      </Submit>
    </Form>
  )
}

function useProofForm<Name extends 'password' | 'code'>({
  name,
  check,
  give,
  prove,
}: {
  name: Name
  check: (typed: string) => void
  give: (typed: string) => ProofInput
  prove: Prove
}) {
  return useForm<Record<Name, string>, Name, unknown>({
    action: 'makeProof',
    request: prove,
    read: (element) => formFields(element, [name]),
    check: (typed) => ({ [name]: () => check(typed[name]) }) as Checks<Name>,
    send: (typed) => prove.mutateAsync(give(typed[name])),
    fieldOf: (error) => (isForPeople(error) ? name : undefined),
  })
}
