import { checkEmail, checkLength, checkUsername } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm, type FormState } from '#app/api/form.tsx'
import { useEntry, type Body } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { formFields, NewPasswordField, newPasswordHint, TextField } from '#app/ui/forms/fields.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { AuthFrame, linkTo } from './auth-frame.tsx'
import { ClaimCard } from './claim-card.tsx'

const NAMES = ['username', 'password', 'firstName', 'lastName', 'email'] as const
type Name = (typeof NAMES)[number]

export function SignupScreen() {
  const signup = useEntry((body: Body<'signup'>) => call('signup', { body }))
  const form = useForm({
    action: 'signup',
    alwaysToasts: true,
    request: signup,
    read: (element) => formFields(element, NAMES),
    check: ({ username, password, firstName, lastName, email }) => ({
      username: () => checkUsername(username),
      password: () => checkLength('password', password),
      firstName: () => checkLength('firstName', firstName),
      lastName: () => checkLength('lastName', lastName),
      email: () => checkEmail(email),
    }),
    send: ({ email, ...required }) =>
      signup.mutateAsync(email === '' ? required : { ...required, email }),
    onDone: () =>
      showToast({
        title: t('Account created successfully!'),
        description: t('You can now start trading with your new account.'),
      }),
  })
  return (
    <AuthFrame screen="signup">
      <Form form={form} className="flex flex-col gap-5">
        <SignupInputs form={form} />
        <ClaimCard />
        <Submit form={form} pendingLabel={t('Creating Account...')}>
          {t('Create Account')}
        </Submit>
      </Form>
      <p className="mt-6 flex min-h-12 items-center justify-center gap-1 text-16 text-ink2">
        <Trans message="Already have an account? <link>Sign in</link>" link={linkTo('/login')} />
      </p>
    </AuthFrame>
  )
}

function SignupInputs({ form }: { form: Pick<FormState<unknown, Name>, 'field'> }) {
  return (
    <>
      <TextField
        label={t('Username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('username')}
      />
      <NewPasswordField
        label={t('Password')}
        hint={newPasswordHint()}
        {...form.field('password')}
      />
      <div className="grid gap-5 min-[360px]:grid-cols-2 min-[360px]:gap-3">
        <TextField label={t('First name')} autoComplete="given-name" {...form.field('firstName')} />
        <TextField label={t('Last name')} autoComplete="family-name" {...form.field('lastName')} />
      </div>
      <TextField
        label={t('Email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        optional
        {...form.field('email')}
      />
    </>
  )
}
