import { t } from '#words/words.ts'
import { useLogin } from '#app/api/actions.ts'
import { useCanUsePasskeys } from '#app/passkeys/use-can-use-passkeys.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { AuthFrame, linkTo } from './auth-frame.tsx'
import { LoginForm } from './login-form.tsx'
import { PasskeyLogin } from './passkey-login.tsx'

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
