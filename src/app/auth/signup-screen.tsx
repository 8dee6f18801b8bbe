import type { SubmitEvent } from 'react'
import { checkEmail, checkLength, checkUsername } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { useFieldErrors } from '#app/api/field-errors.ts'
import { useSignup } from '#app/api/actions.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import {
  Form,
  formFields,
  NewPasswordField,
  newPasswordHint,
  TextField,
  type FieldErrors,
} from '#app/ui/forms/form.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { AuthFrame, linkTo } from './auth-frame.tsx'
import { ClaimCard } from './claim-card.tsx'

const NAMES = ['username', 'password', 'firstName', 'lastName', 'email'] as const
type Name = (typeof NAMES)[number]

export function SignupScreen() {
  const signup = useSignup()
  const { errors, setErrors, pass, onInput } = useFieldErrors<Name>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const { email, ...required } = formFields(event.currentTarget, NAMES)
    const isRight = pass({
      username: () => checkUsername(required.username),
      password: () => checkLength('password', required.password),
      firstName: () => checkLength('firstName', required.firstName),
      lastName: () => checkLength('lastName', required.lastName),
      email: () => checkEmail(email),
    })
    if (!isRight) return
    signup.mutate(email === '' ? required : { ...required, email }, {
      onSuccess: () =>
        showToast({
          title: t('Account created successfully!'),
          description: t('You can now start trading with your new account.'),
        }),
      onError: (error) => {
        if (error instanceof ApiError && error.field) setErrors({ [error.field]: error.message })
        showFailure(error, 'signup')
      },
    })
  }
  return (
    <AuthFrame screen="signup">
      <Form onSubmit={submit} onInput={onInput} className="flex flex-col gap-5">
        <SignupInputs errors={errors} />
        <ClaimCard compact />
        <Button type="submit" pending={signup.isPending} pendingLabel={t('Creating Account...')}>
          {t('Create Account')}
        </Button>
        <FailureNote error={signup.error} action="signup" />
      </Form>
      <p className="mt-6 flex min-h-12 items-center justify-center gap-1 text-16 text-ink2">
        <Trans message="Already have an account? <link>Sign in</link>" link={linkTo('/login')} />
      </p>
    </AuthFrame>
  )
}

function SignupInputs({ errors }: { errors: FieldErrors<Name> }) {
  return (
    <>
      <TextField
        label={t('Username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username}
      />
      <NewPasswordField
        label={t('Password')}
        name="password"
        hint={newPasswordHint()}
        error={errors.password}
      />
      <div className="grid gap-5 min-[360px]:grid-cols-2 min-[360px]:gap-3">
        <TextField
          label={t('First name')}
          name="firstName"
          autoComplete="given-name"
          error={errors.firstName}
        />
        <TextField
          label={t('Last name')}
          name="lastName"
          autoComplete="family-name"
          error={errors.lastName}
        />
      </div>
      <TextField
        label={t('Email')}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        optional
        error={errors.email}
      />
    </>
  )
}
