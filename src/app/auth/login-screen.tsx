import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent } from 'react'
import type { PasskeyAssertion } from '#contract/factors.ts'
import type { ProofMethod } from '#contract/wire.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import { useEntry, useLogin } from '#app/api/actions.ts'
import { ApiError, call } from '#app/api/call.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure, UserDeclined } from '#app/api/failure-toast.ts'
import { useFieldErrors } from '#app/api/field-errors.ts'
import { CodeField } from '#app/passkeys/code-field.tsx'
import { methodsOf } from '#app/passkeys/methods-of.ts'
import { PasskeyButton, showPasskeyFailure } from '#app/passkeys/passkey-button.tsx'
import { askPasskey, canAutofill, stopAsking } from '#app/passkeys/passkey.ts'
import { useCanUsePasskeys } from '#app/passkeys/use-can-use-passkeys.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import {
  Form,
  formFields,
  PasswordField,
  TextField,
  type FieldErrors,
} from '#app/ui/forms/form.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { AuthFrame, linkTo } from './auth-frame.tsx'

export function LoginScreen() {
  const login = useLogin()
  const canUsePasskeys = useCanUsePasskeys()
  return (
    <AuthFrame screen="login">
      <LoginForm login={login} canUsePasskeys={canUsePasskeys === true} onDone={welcomeBack} />
      <p className="mt-6 flex justify-center text-16">
        {linkTo('/forgot-password')(t('Forgot your password?'))}
      </p>
      <p className="flex min-h-12 items-center justify-center gap-1 text-16 text-ink2">
        <Trans message="No account yet? <link>Create one</link>" link={linkTo('/signup')} />
      </p>
      <div className="mt-2 min-h-13">{canUsePasskeys && <PasskeyLogin onDone={welcomeBack} />}</div>
    </AuthFrame>
  )
}

function welcomeBack(): void {
  showToast({
    title: t('Welcome back!'),
    description: t("You've successfully logged in to your trading account."),
  })
}

const FIELDS = ['username', 'password', 'code'] as const
type Field = (typeof FIELDS)[number]

/**
 * Name and password; then, where the account has a second factor, a code. All of it is sent again
 * with the code.
 */
function LoginForm({
  login,
  canUsePasskeys,
  onDone,
}: {
  login: ReturnType<typeof useLogin>
  canUsePasskeys: boolean
  onDone: () => void
}) {
  const { errors, setErrors, pass, onInput } = useFieldErrors<Field>()
  const [methods, setMethods] = useState<readonly ProofMethod[]>()
  const refused = (error: Error) => {
    if (isQuestion(error)) return setMethods(methodsOf(error))
    setErrors(errorsOf(error))
    showFailure(error, 'login')
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const { code, ...fields } = formFields(event.currentTarget, FIELDS)
    const isRight = pass({
      username: () => checkLength('username', fields.username),
      password: () => checkLength('password', fields.password),
      code: () => checkCode(methods ? code : undefined),
    })
    if (!isRight) return
    login.mutate({ ...fields, ...(methods && { code }) }, { onSuccess: onDone, onError: refused })
  }
  return (
    <Form onSubmit={submit} onInput={onInput} className="flex flex-col gap-5">
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

const isQuestion = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'second-factor-required'

/**
 * We never say which of the two is wrong. The error is shown at the password, which people mistype
 * more often.
 */
function errorsOf(error: Error): FieldErrors<Field> {
  if (!(error instanceof ApiError)) return {}
  if (error.code === 'wrong-credentials') return { password: error.message }
  return error.field === 'code' ? { code: error.message } : {}
}

function checkCode(code: string | undefined): void {
  if (code === '') throw new Refusal('required', { field: 'code' })
}

function Credentials({
  errors,
  isHidden,
  canUsePasskeys,
}: {
  errors: FieldErrors<Field>
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

/**
 * Signs in with a passkey alone: by the button, or where the browser suggests names for the field.
 */
function PasskeyLogin({ onDone }: { onDone: () => void }) {
  const login = useEntry((passkey: PasskeyAssertion) =>
    call('loginWithPasskey', { body: { passkey } }),
  )
  const use = async (passkey: PasskeyAssertion) => {
    await login.mutateAsync(passkey)
    onDone()
  }
  useAutofill(use)
  return <PasskeyButton look="outline" label={t('Sign in with a passkey')} use={use} />
}

/**
 * Waits for a suggested passkey to be chosen. A press on the button takes over, and so does leaving
 * the screen.
 */
function useAutofill(use: (passkey: PasskeyAssertion) => Promise<void>): void {
  const chosen = useEffectEvent(use)
  useEffect(() => {
    let isHere = true
    const wait = async () => {
      if (!(await canAutofill()) || !isHere) return
      const passkey = await askPasskey({ autofill: true })
      await chosen(passkey).catch(
        (error: unknown) => isHere && !(error instanceof UserDeclined) && showPasskeyFailure(error),
      )
    }
    // Until one is chosen, the user has asked for nothing: a browser that cannot offer passkeys
    // offers none.
    wait().catch(
      (error: unknown) =>
        error instanceof UserDeclined || console.warn('No passkey can be suggested.', error),
    )
    return () => {
      isHere = false
      void stopAsking()
    }
  }, [])
}
