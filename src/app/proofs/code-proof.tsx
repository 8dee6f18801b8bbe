import { Refusal } from '#core/refusal.ts'
import type { ProofMethod } from '#contract/wire.ts'
import { t } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { CodeField } from '#app/passkeys/code-field.tsx'
import { PasskeyButton } from '#app/passkeys/passkey-button.tsx'
import { useCanUsePasskeys } from '#app/passkeys/use-can-use-passkeys.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import type { Prove } from './use-proof.ts'
import { useProofForm } from './use-proof-form.ts'

/**
 * With a passkey, where this browser can use one; with a code of the authenticator app; or with a
 * recovery code in place of both.
 */
export function CodeProof({ methods, prove }: { methods: readonly ProofMethod[]; prove: Prove }) {
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
          pendingLabel={t('Confirming...')}
        >
          {t('Confirm')}
        </ActionButton>
        <FailureNote error={prove.error} action="makeProof" />
      </Form>
    </div>
  )
}
