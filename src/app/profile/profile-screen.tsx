import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { useLogout, useUser } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { showFailure } from '../ui/failure-toast.ts'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ReceiptLine } from '../ui/receipt-line.tsx'
import { Receipt } from '../ui/receipt.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { showToast } from '../ui/toast.ts'
import { ThemeChoice } from './theme-choice.tsx'

const WalletsPanel = lazy(async () => ({ default: (await import('../wallets/wallets-panel.tsx')).WalletsPanel }))

export function ProfileScreen() {
  const user = useUser().data
  const [, navigate] = useLocation()
  const logout = useLogout({ beforeForgetting: () => navigate('/') })
  if (!user) return null
  const signOut = () =>
    logout.mutate(undefined, {
      onSuccess: () => showToast({ title: 'Logged out successfully' }),
      onError: (error) => showFailure(error, { title: 'Logout failed', description: 'Please try again.' }),
    })
  return (
    <>
      <PageHeader title="Profile" />
      <div className="px-5 pt-2">
        <h2 className="text-28 font-semibold tracking-[-0.01em]">
          {user.firstName} {user.lastName}
        </h2>
        <p className="text-16 text-ink2">@{user.username}</p>
        {user.email && <p className="text-16 text-ink2">{user.email}</p>}
        <div className="mt-6">
          <Receipt>
            <ReceiptLine label="Available cash">
              <Money amount={user.availableBalance} />
            </ReceiptLine>
            <ReceiptLine kind="total" label="Account balance">
              <Money amount={user.totalBalance} />
            </ReceiptLine>
          </Receipt>
        </div>
      </div>
      <Suspense fallback={<WalletsOnTheirWay />}>
        <WalletsPanel />
      </Suspense>
      <Section title="Appearance">
        <ThemeChoice />
      </Section>
      <div className="grid px-5 pt-10">
        <Button look="outline" pending={logout.isPending} pendingLabel="Signing out..." onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </>
  )
}

/** As tall as the panel with a wallet to connect and none connected. */
function WalletsOnTheirWay() {
  return (
    <Section title="Crypto Wallets">
      <Skeleton className="h-68 w-full" />
    </Section>
  )
}
