import type { ComponentType } from 'react'
import { screenAt, tabs, type ScreenName } from '#contract/screens.ts'

export const CODE: Record<ScreenName, () => Promise<ComponentType>> = {
  landing: () => import('./auth/landing-screen.tsx').then((code) => code.LandingScreen),
  login: () => import('./auth/login-screen.tsx').then((code) => code.LoginScreen),
  signup: () => import('./auth/signup-screen.tsx').then((code) => code.SignupScreen),
  forgotPassword: () =>
    import('./auth/forgot-password-screen.tsx').then((code) => code.ForgotPasswordScreen),
  resetPassword: () =>
    import('./auth/reset-password-screen.tsx').then((code) => code.ResetPasswordScreen),
  verifyEmail: () =>
    import('./auth/verify-email-screen.tsx').then((code) => code.VerifyEmailScreen),
  notMe: () => import('./auth/not-me-screen.tsx').then((code) => code.NotMeScreen),
  home: () => import('./home/home-screen.tsx').then((code) => code.HomeScreen),
  coin: () => import('./coin/coin-screen.tsx').then((code) => code.CoinScreen),
  week: () => import('./week/week-screen.tsx').then((code) => code.WeekScreen),
  deposit: () => import('./deposits/deposit-screen.tsx').then((code) => code.DepositScreen),
  withdraw: () => import('./withdrawals/withdraw-screen.tsx').then((code) => code.WithdrawScreen),
  bots: () => import('./bots/bots-screen.tsx').then((code) => code.BotsScreen),
  newBot: () => import('./bots/new-bot-screen.tsx').then((code) => code.NewBotScreen),
  bot: () => import('./bots/bot-screen.tsx').then((code) => code.BotScreen),
  compare: () => import('./bots/compare-screen.tsx').then((code) => code.CompareScreen),
  history: () => import('./history/history-screen.tsx').then((code) => code.HistoryScreen),
  statement: () => import('./statement/statement-screen.tsx').then((code) => code.StatementScreen),
  notices: () => import('./notices/notices-screen.tsx').then((code) => code.NoticesScreen),
  noticeSettings: () =>
    import('./notices/notice-settings-screen.tsx').then((code) => code.NoticeSettingsScreen),
  mailbox: () => import('./notices/mailbox-screen.tsx').then((code) => code.MailboxScreen),
  help: () => import('./help/help-screen.tsx').then((code) => code.HelpScreen),
  profile: () => import('./profile/profile-screen.tsx').then((code) => code.ProfileScreen),
  security: () => import('./security/security-screen.tsx').then((code) => code.SecurityScreen),
  myData: () => import('./profile/data-screen.tsx').then((code) => code.DataScreen),
  evidence: () => import('./evidence/evidence-screen.tsx').then((code) => code.EvidenceScreen),
  forecasts: () => import('./forecasts/forecasts-screen.tsx').then((code) => code.ForecastsScreen),
  trackRecord: () => import('./record/record-screen.tsx').then((code) => code.RecordScreen),
}

const fetched = new Map<ScreenName, ComponentType>()

/** The screen if its code has been fetched, so that it can be shown without a placeholder. */
export function fetchedScreen(name: ScreenName): ComponentType | undefined {
  return fetched.get(name)
}

export function isFetched(path: string, user: unknown): boolean {
  const screen = screenAt(path, Boolean(user))
  return screen === undefined || fetched.has(screen.name)
}

/** Fetches the code of a screen. Ignores failures, because opening the screen reports them. */
export async function fetchScreen(path: string, user: unknown): Promise<void> {
  const screen = screenAt(path, Boolean(user))
  if (screen === undefined || fetched.has(screen.name)) return
  await CODE[screen.name]().then(
    (component) => fetched.set(screen.name, component),
    () => undefined,
  )
}

const PAUSE_MS = 500

/** Fetches the tabs' screens, one after the other, with pauses in which a press is answered. */
export function fetchTabs(): void {
  const paths = tabs.map(({ path }) => path)
  const next = () => {
    const path = paths.shift()
    if (path !== undefined) void fetchScreen(path, true).then(pause)
  }
  const pause = () => setTimeout(next, PAUSE_MS)
  pause()
}
