import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { User } from '#contract/auth.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useLogout, useUser } from '#app/api/queries.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { ConnectedWallets } from '#app/wallets/connected-wallets.tsx'
import { LinkWallet } from '#app/wallets/link-wallet.tsx'
import { AccountBalance } from './account-balance.tsx'
import { ActiveSessions } from './active-sessions.tsx'
import { ThemeChoice } from './theme-choice.tsx'

const ChangePasswordSheet = lazy(async () => ({ default: (await import('./change-password-sheet.tsx')).ChangePasswordSheet }))

export function ProfileScreen() {
  const user = useUser().data
  const [, navigate] = useLocation()
  // Not in the callback of `mutate`, which React Query drops when this screen unmounts.
  const leave = () => {
    navigate('/')
    showToast({ title: 'Logged out successfully' })
  }
  const logout = useLogout({ beforeForgetting: leave })
  if (!user) return null
  const signOut = () =>
    logout.mutate(undefined, { onError: (error) => showFailure(error, { title: 'Logout failed', description: 'Please try again.' }) })
  return (
    <>
      <PageHeader screen="profile" />
      <div className="px-5 pt-2">
        <h2 className="text-28 font-semibold tracking-[-0.01em]">
          {user.firstName} {user.lastName}
        </h2>
        <p className="text-16 text-ink2">@{user.username}</p>
        {user.email && <p className="text-16 text-ink2">{user.email}</p>}
      </div>
      <AccountBalance user={user} />
      <Section title="Crypto Wallets">
        <LinkWallet />
        <ConnectedWallets />
      </Section>
      <Section title="Appearance">
        <ThemeChoice />
      </Section>
      <ActiveSessions />
      <div className="grid gap-3 px-5 pt-10">
        <PasswordButton user={user} />
        <Button look="outline" pending={logout.isPending} pendingLabel="Signing out..." onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </>
  )
}

function PasswordButton({ user }: { user: User }) {
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <Button look="outline" onClick={() => setSheet('open')}>
        Change password
      </Button>
      {sheet !== 'never' && (
        <Suspense>
          <ChangePasswordSheet username={user.username} open={sheet === 'open'} onClose={() => setSheet('closed')} />
        </Suspense>
      )}
    </>
  )
}
