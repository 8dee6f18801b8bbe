import type { ProofMethod } from '#contract/wire.ts'
import { t } from '#words/words.ts'
import { TextField } from '#app/ui/forms/fields.tsx'

export function CodeField({
  methods,
  error,
}: {
  methods: readonly ProofMethod[]
  error: string | undefined
}) {
  const hasApp = methods.includes('authenticator')
  return (
    <TextField
      label={hasApp ? t('Code') : t('Recovery code')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      hint={
        hasApp
          ? t('Six digits from your authenticator app, or a recovery code')
          : t('One of the codes that you saved when you set up your passkey')
      }
      error={error}
    />
  )
}
