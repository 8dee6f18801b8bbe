import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import type { ProofMethod } from '#contract/wire.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import type { useLogin } from '#app/api/actions.ts'
import { ApiError } from '#app/api/call.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { CodeField } from '#app/passkeys/code-field.tsx'
import { methodsOf } from '#app/passkeys/methods-of.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { formFields, without, type FieldErrors } from '#app/ui/forms/form-fields.ts'

type Errors = FieldErrors<'username' | 'password' | 'code'>

/**
 * Name and password; then, where the account has a second factor, a code. All of it is sent again
 * with the code.
 */
export function LoginForm({
  login,
  canUsePasskeys,
  onDone,
}: {
  login: ReturnType<typeof useLogin>
  canUsePasskeys: boolean
  onDone: () => void
}) {
  const [errors, setErrors] = useState<Errors>({})
  const [methods, setMethods] = useState<readonly ProofMethod[]>()
  const refused = (error: Error) => {
    if (error instanceof ApiError && error.code === 'second-factor-required')
      return setMethods(methodsOf(error))
    // We never say which of the two is wrong. The error stands at the password, which people
    // mistype more often.
    if (error instanceof ApiError && error.code === 'wrong-credentials')
      setErrors({ password: error.message })
    if (error instanceof ApiError && error.field === 'code') setErrors({ code: error.message })
    showFailure(error, 'login')
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const { code, ...fields } = formFields(event.currentTarget, ['username', 'password', 'code'])
    const wrong = refusalsOf({
      username: () => checkLength('username', fields.username),
      password: () => checkLength('password', fields.password),
      code: () => checkCode(methods ? code : undefined),
    })
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    login.mutate({ ...fields, ...(methods && { code }) }, { onSuccess: onDone, onError: refused })
  }
  return (
    <Form
      onSubmit={submit}
      onInput={(event) => setErrors(without(errors, event.target))}
      className="flex flex-col gap-5"
    >
      <Credentials
        errors={errors}
        isHidden={methods !== undefined}
        canUsePasskeys={canUsePasskeys}
      />
      {methods && <SecondStep methods={methods} error={errors.code} />}
      <Button type="submit" pending={login.isPending} pendingLabel={t('Signing in...')}>
        {t('Sign In')}
      </Button>
      {methods && (
        <Button look="outline" disabled={login.isPending} onClick={() => setMethods(undefined)}>
          {t('Back')}
        </Button>
      )}
      {(!methods || !isQuestion(login.error)) && <FailureNote error={login.error} action="login" />}
    </Form>
  )
}

const isQuestion = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second-factor-required'

function checkCode(code: string | undefined): void {
  if (code === '') throw new Refusal('required', { field: 'code' })
}

/** While the code is asked for, both stay in the form, out of sight. */
function Credentials({
  errors,
  isHidden,
  canUsePasskeys,
}: {
  errors: Errors
  isHidden: boolean
  canUsePasskeys: boolean
}) {
  return (
    <div hidden={isHidden} className="flex flex-col gap-5">
      <TextField
        label={t('Username')}
        name="username"
        autoComplete={canUsePasskeys ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username}
      />
      <PasswordField
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        error={errors.password}
      />
    </div>
  )
}

/** The focus moves to the question. */
function SecondStep({
  methods,
  error,
}: {
  methods: readonly ProofMethod[]
  error: string | undefined
}) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => step.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={step} className="flex flex-col gap-3">
      <p className="text-16 text-ink2">{t('Your password is right. Now your second factor.')}</p>
      <CodeField methods={methods} error={error} />
    </div>
  )
}
