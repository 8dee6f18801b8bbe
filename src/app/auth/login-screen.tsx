import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PasskeyAssertion } from '#contract/factors.ts'
import type { ProofMethod } from '#contract/wire.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm, type FormState } from '#app/api/form.tsx'
import { useEntry, type Body } from '#app/api/actions.ts'
import { ApiError, call } from '#app/api/call.ts'
import { showFailure, UserDeclined } from '#app/api/failure-toast.ts'
import { CodeField } from '#app/passkeys/code-field.tsx'
import { methodsOf } from '#app/passkeys/methods-of.ts'
import { PasskeyButton, showPasskeyFailure } from '#app/passkeys/passkey-button.tsx'
import { askPasskey, canAutofill, stopAsking } from '#app/passkeys/passkey.ts'
import { useCanUsePasskeys } from '#app/passkeys/use-can-use-passkeys.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { formFields, PasswordField, TextField } from '#app/ui/forms/fields.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { AuthFrame, linkTo } from './auth-frame.tsx'

const useLogin = () => useEntry((body: Body<'login'>) => call('login', { body }))

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
 * Name and password; then, if the account has a second factor, a code. The code is sent together
 * with name and password.
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
  const [methods, setMethods] = useState<readonly ProofMethod[]>()
  const form = useForm({
    action: 'login',
    alwaysToasts: true,
    request: isQuestion(login.error) ? { ...login, error: null } : login,
    read: (element) => formFields(element, FIELDS),
    check: ({ username, password, code }) => ({
      username: () => checkLength('username', username),
      password: () => checkLength('password', password),
      code: () => checkCode(methods ? code : undefined),
    }),
    send: ({ code, ...fields }) => login.mutateAsync({ ...fields, ...(methods && { code }) }),
    onDone,
    fieldOf,
    fail: (error) =>
      isQuestion(error) ? setMethods(methodsOf(error)) : showFailure(error, 'login'),
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <Credentials form={form} isHidden={methods !== undefined} canUsePasskeys={canUsePasskeys} />
      {methods && <SecondStep methods={methods} error={form.errors.code} />}
      <Submit form={form} pendingLabel={t('Signing in...')}>
        {t('Sign In')}
      </Submit>
      {methods && (
        <Button look="outline" disabled={login.isPending} onClick={() => setMethods(undefined)}>
          {t('Back')}
        </Button>
      )}
    </Form>
  )
}

const isQuestion = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'second-factor-required'

/**
 * Shows the error at the password, which people mistype more often. We never say whether name or
 * password is wrong.
 */
function fieldOf({ code, field }: ApiError): Field | undefined {
  if (code === 'wrong-credentials') return 'password'
  return field === 'code' ? field : undefined
}

function checkCode(code: string | undefined): void {
  if (code === '') throw new Refusal('required', { field: 'code' })
}

function Credentials({
  form,
  isHidden,
  canUsePasskeys,
}: {
  form: Pick<FormState<unknown, Field>, 'field'>
  isHidden: boolean
  canUsePasskeys: boolean
}) {
  return (
    <div hidden={isHidden} className="flex flex-col gap-5">
      <TextField
        label={t('Username')}
        autoComplete={canUsePasskeys ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('username')}
      />
      <PasswordField
        label={t('Password')}
        autoComplete="current-password"
        {...form.field('password')}
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
      <p className="text-16 text-ink2">
        {t('Your password is correct. Now use your second factor.')}
      </p>
      <CodeField methods={methods} error={error} />
    </div>
  )
}

/**
 * Signs in with only a passkey: by the button, or by a suggestion of the browser in the field for
 * the name.
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
 * Waits until a suggested passkey is chosen. A press on the button, or leaving the screen, cancels
 * the wait.
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
    // Ignores failures: the user did not request a passkey, and the screen works without
    // suggestions.
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
