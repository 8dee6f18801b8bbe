import { lazy, Suspense } from 'react'
import type { User } from '#contract/auth.ts'
import { screens } from '#contract/screens.ts'
import { t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useLogout } from '#app/api/actions.ts'
import { useUser } from '#app/api/queries.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { ContactSupport } from '#app/shell/contact-support.tsx'
import { forgetPush } from '#app/pwa/forget-push.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { ConnectedWallets } from '#app/wallets/connected-wallets.tsx'
import { LinkWallet } from '#app/wallets/link-wallet.tsx'
import { AccountBalance } from './account-balance.tsx'
import { ActiveSessions } from './active-sessions.tsx'
import { EmailLine } from './email-line.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { useSheet } from './use-sheet.ts'

const EditNameSheet = lazy(async () => ({
  default: (await import('./edit-name-sheet.tsx')).EditNameSheet,
}))
const ChangePasswordSheet = lazy(async () => ({
  default: (await import('./change-password-sheet.tsx')).ChangePasswordSheet,
}))

export function ProfileScreen() {
  const user = useUser().data
  const [, navigate] = useLocation()
  // Not in the callback of `mutate`, which React Query drops when this screen unmounts.
  const leave = () => {
    void forgetPush()
    navigate('/', { replace: true })
    showToast({ title: t('Logged out successfully') })
  }
  const logout = useLogout({ leave })
  if (!user) return null
  const signOut = () =>
    logout.mutate(undefined, { onError: (error) => showFailure(error, 'logout') })
  return (
    <>
      <PageHeader screen="profile" />
      <div className="px-5 pt-2">
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <h2 className="min-w-0 text-28 font-semibold tracking-[-0.01em] wrap-anywhere">
            {user.firstName} {user.lastName}
          </h2>
          <NameButton user={user} />
        </div>
        <p className="text-16 text-ink2">@{user.username}</p>
        <EmailLine user={user} />
      </div>
      <AccountBalance user={user} />
      <Section title={t('Appearance')}>
        <div className="grid gap-5">
          <ThemeChoice />
          <LanguageChoice />
        </div>
      </Section>
      <ActiveSessions />
      <Section title={t('Crypto Wallets')}>
        <LinkWallet />
        <ConnectedWallets />
      </Section>
      <div className="grid gap-3 px-5 pt-10">
        <LinkButton look="outline" href="/profile/security">
          {t('Sign-in and security')}
        </LinkButton>
        <LinkButton href={screens.noticeSettings.path} look="outline">
          {t('Choose your notices')}
        </LinkButton>
        <PasswordButton user={user} />
        <LinkButton href={screens.myData.path} look="outline">
          {t('Your data')}
        </LinkButton>
        <Button
          look="outline"
          pending={logout.isPending}
          pendingLabel={t('Signing out...')}
          onClick={signOut}
        >
          {t('Sign Out')}
        </Button>
        <ContactSupport />
      </div>
      <ProofOutlet />
    </>
  )
}

function NameButton({ user }: { user: User }) {
  const sheet = useSheet()
  return (
    <>
      <Button look="quiet" className="-mr-2" onClick={sheet.open}>
        {t('Edit name')}
      </Button>
      <Suspense>
        {sheet.isLoaded && <EditNameSheet user={user} open={sheet.isOpen} onClose={sheet.close} />}
      </Suspense>
    </>
  )
}

function PasswordButton({ user }: { user: User }) {
  const sheet = useSheet()
  return (
    <>
      <Button look="outline" onClick={sheet.open}>
        {t('Change password')}
      </Button>
      <Suspense>
        {sheet.isLoaded && (
          <ChangePasswordSheet username={user.username} open={sheet.isOpen} onClose={sheet.close} />
        )}
      </Suspense>
    </>
  )
}
