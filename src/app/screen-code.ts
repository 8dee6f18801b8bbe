import type { ComponentType } from 'react'
import { screenAt, tabs, type ScreenName } from '#contract/screens.ts'

export const CODE: Record<ScreenName, () => Promise<ComponentType>> = {
  landing: async () => (await import('./auth/landing-screen.tsx')).LandingScreen,
  login: async () => (await import('./auth/login-screen.tsx')).LoginScreen,
  signup: async () => (await import('./auth/signup-screen.tsx')).SignupScreen,
  forgotPassword: async () =>
    (await import('./auth/forgot-password-screen.tsx')).ForgotPasswordScreen,
  resetPassword: async () => (await import('./auth/reset-password-screen.tsx')).ResetPasswordScreen,
  verifyEmail: async () => (await import('./auth/verify-email-screen.tsx')).VerifyEmailScreen,
  notMe: async () => (await import('./auth/not-me-screen.tsx')).NotMeScreen,
  home: async () => (await import('./home/home-screen.tsx')).HomeScreen,
  coin: async () => (await import('./coin/coin-screen.tsx')).CoinScreen,
  deposit: async () => (await import('./deposits/deposit-screen.tsx')).DepositScreen,
  withdraw: async () => (await import('./withdrawals/withdraw-screen.tsx')).WithdrawScreen,
  bots: async () => (await import('./bots/bots-screen.tsx')).BotsScreen,
  newBot: async () => (await import('./bots/new-bot-screen.tsx')).NewBotScreen,
  bot: async () => (await import('./bots/bot-screen.tsx')).BotScreen,
  compare: async () => (await import('./bots/compare-screen.tsx')).CompareScreen,
  history: async () => (await import('./history/history-screen.tsx')).HistoryScreen,
  notices: async () => (await import('./notices/notices-screen.tsx')).NoticesScreen,
  noticeSettings: async () =>
    (await import('./notices/notice-settings-screen.tsx')).NoticeSettingsScreen,
  mailbox: async () => (await import('./notices/mailbox-screen.tsx')).MailboxScreen,
  help: async () => (await import('./help/help-screen.tsx')).HelpScreen,
  profile: async () => (await import('./profile/profile-screen.tsx')).ProfileScreen,
  security: async () => (await import('./security/security-screen.tsx')).SecurityScreen,
  myData: async () => (await import('./profile/data-screen.tsx')).DataScreen,
  evidence: async () => (await import('./evidence/evidence-screen.tsx')).EvidenceScreen,
  trackRecord: async () => (await import('./record/record-screen.tsx')).RecordScreen,
}

const fetched = new Map<ScreenName, ComponentType>()

/** A screen whose code has arrived can be shown at once, without a placeholder. */
export function fetchedScreen(name: ScreenName): ComponentType | undefined {
  return fetched.get(name)
}

export function isFetched(path: string, user: unknown): boolean {
  const screen = screenAt(path, Boolean(user))
  return screen === undefined || fetched.has(screen.name)
}

/** Fetches the code of a screen. A failure is reported when the screen is opened. */
export async function fetchScreen(path: string, user: unknown): Promise<void> {
  const screen = screenAt(path, Boolean(user))
  if (screen === undefined || fetched.has(screen.name)) return
  await CODE[screen.name]().then(
    (component) => fetched.set(screen.name, component),
    () => undefined,
  )
}

/** Fetches the tabs' screens, one after the other, while the device has nothing else to do. */
export function fetchTabsWhenIdle(): void {
  const paths = tabs.map(({ path }) => path)
  const next = () => {
    const path = paths.shift()
    if (path !== undefined) void fetchScreen(path, true).then(whenIdle)
  }
  // Safari has no idle callbacks.
  const whenIdle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(next) : setTimeout(next, 200)
  whenIdle()
}
