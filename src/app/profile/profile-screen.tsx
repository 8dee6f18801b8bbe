import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { User } from '#contract/auth.ts'
import { screens } from '#contract/screens.ts'
import { THEME_COLORS } from '#contract/page-data.ts'
import { language, LANGUAGE_NAMES, LANGUAGES } from '#words/language.ts'
import { msg, say, t } from '#words/words.ts'
import { useSignOut } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { knownBalances } from '#app/api/portfolio.ts'
import { usePortfolio, useUser } from '#app/api/queries.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { ContactSupport } from '#app/shell/contact-support.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button, IconButton } from '#app/ui/buttons/button.tsx'
import { setCookie } from '#app/ui/device/cookie-of.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { storeText } from '#app/ui/device/storage.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { ChevronRight, Eye, EyeOff } from '#app/ui/frame/icons.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { BalanceLines } from '#app/ui/money/balance-lines.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useLanguageChange } from '#app/ui/words/language-change.ts'
import { ConnectedWallets } from '#app/wallets/connected-wallets.tsx'
import { LinkWallet } from '#app/wallets/link-wallet.tsx'
import { ActiveSessions, useSheet } from './active-sessions.tsx'
import { EmailLine } from './email-line.tsx'
import { forgetPush } from './session-queries.ts'

const EditNameSheet = lazy(async () => ({
  default: (await import('./edit-name-sheet.tsx')).EditNameSheet,
}))
const ChangePasswordSheet = lazy(async () => ({
  default: (await import('./change-password-sheet.tsx')).ChangePasswordSheet,
}))

export function ProfileScreen() {
  const user = useUser().data
  if (!user) return null
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
      <ul className="mx-5 mt-10 divide-y divide-hairline border-y border-hairline">
        <LinkRow href="/profile/security">{t('Sign-in and security')}</LinkRow>
        <LinkRow href={screens.noticeSettings.path}>{t('Choose your notifications')}</LinkRow>
        <PasswordRow user={user} />
        <LinkRow href={screens.myData.path}>{t('Your data')}</LinkRow>
      </ul>
      <div className="grid gap-3 px-5 pt-4">
        <SignOutButton />
        <ContactSupport />
      </div>
      <ProofOutlet />
    </>
  )
}

function SignOutButton() {
  const [, navigate] = useLocation()
  // Called here, because React Query drops the callback of `mutate` when this screen unmounts.
  const leave = () => {
    void forgetPush()
    navigate('/', { replace: true })
    showToast({ title: t('Logged out successfully') })
  }
  const logout = useSignOut({ end: () => call('logout', {}), leave })
  return (
    <Button
      look="quiet"
      pending={logout.isPending}
      pendingLabel={t('Signing out...')}
      onClick={() => logout.mutate(undefined, { onError: (error) => showFailure(error, 'logout') })}
    >
      {t('Sign Out')}
    </Button>
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

const ROW =
  'flex min-h-13 w-full items-center justify-between gap-3 text-left text-16 font-semibold'

function LinkRow({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <Link href={href} className={ROW}>
        {children}
        <ChevronRight size={20} aria-hidden="true" className="text-ink2" />
      </Link>
    </li>
  )
}

function PasswordRow({ user }: { user: User }) {
  const sheet = useSheet()
  return (
    <li>
      <button type="button" className={ROW} onClick={sheet.open}>
        {t('Change password')}
        <ChevronRight size={20} aria-hidden="true" className="text-ink2" />
      </button>
      <Suspense>
        {sheet.isLoaded && (
          <ChangePasswordSheet username={user.username} open={sheet.isOpen} onClose={sheet.close} />
        )}
      </Suspense>
    </li>
  )
}

function LanguageChoice() {
  const { choose, dialog } = useLanguageChange()
  return (
    <>
      <ChoiceRow
        label={t('Language')}
        choices={LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }))}
        chosen={language()}
        onChoose={choose}
      />
      {dialog}
    </>
  )
}

const THEMES = [
  { value: 'system', text: msg('System') },
  { value: 'light', text: msg('Light') },
  { value: 'dark', text: msg('Dark') },
]

function ThemeChoice() {
  const before = useDeviceFact({ onDevice: chosenTheme, onPage: ({ theme }) => theme })
  const [theme, setTheme] = useState<string>()
  return (
    <ChoiceRow
      label={t('Theme')}
      choices={THEMES.map(({ value, text }) => ({ value, text: say(text) }))}
      chosen={theme ?? before}
      onChoose={(next) => {
        chooseTheme(next)
        setTheme(next)
      }}
    />
  )
}

const KEY = 'theme'

/**
 * 'light', 'dark' or 'system'. A choice is written into the page by the server, and into the
 * offline shell by `public/theme.js`.
 */
function chosenTheme(): string {
  return document.documentElement.dataset['theme'] ?? 'system'
}

/**
 * Stores the theme in a cookie for the server and, if the browser allows it, in local storage for
 * the offline shell.
 */
function chooseTheme(theme: string): void {
  setCookie(KEY, theme, theme === 'system' ? 0 : undefined)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  colorBars(theme)
  storeText('localStorage', KEY, theme === 'system' ? undefined : theme)
}

/**
 * Sets the color of the browser's bars for both themes of the device, because the bars follow the
 * device's theme.
 */
function colorBars(theme: string): void {
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const own = bar.media.includes('dark') ? 'dark' : 'light'
    bar.content = THEME_COLORS[theme === 'light' || theme === 'dark' ? theme : own]
  }
}

/**
 * The balance and its parts, valued at the last prices. The eye button hides all own amounts on
 * this device.
 */
function AccountBalance({ user }: { user: User }) {
  const { hidden, toggle } = useHiddenBalance()
  const portfolio = usePortfolio()
  const balances = knownBalances(portfolio, user)
  return (
    <Section
      title={t('Balance')}
      aside={
        <IconButton
          icon={hidden ? EyeOff : Eye}
          label={hidden ? t('Show balance') : t('Hide balance')}
          className="-mr-3"
          onClick={toggle}
        />
      }
    >
      {balances && <BalanceLines balances={balances} total={t('Account balance')} />}
      {!balances &&
        (portfolio.isError ? (
          <LoadProblem
            message={t('Unable to load your balance')}
            onRetry={() => void portfolio.refetch()}
          />
        ) : (
          <Skeleton className="h-48 w-full" />
        ))}
    </Section>
  )
}
