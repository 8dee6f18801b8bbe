import { msg } from '#words/words.ts'
import type { QueryKey, ValuedName } from './query-key.ts'
import type { CallName } from './routes.ts'

export type Tab = 'Home' | 'Bots' | 'History' | 'Help' | 'Profile'

/** Valued at the last price, or changing only when money moves. */
export type LiveFigures = 'Prices' | 'Figures'

export type Width = 'form' | 'wide'

export type Screen = {
  /** `:id` marks a path parameter. */
  path: `/${string}`
  /** 'visitor': not signed in. */
  access: 'user' | 'visitor' | 'both'
  title: string
  /** The tab that leads to it; a tab opens its first screen. Visitors see no tabs. */
  tab?: Tab
  /** A task with an end: phones hide the tabs; from 768 px the rail stays. */
  task?: true
  /** form: a column of fields · wide: own columns from 1024 px · undefined: one readable column. */
  width?: Width
  /** Figures that the event stream keeps current. */
  live?: LiveFigures
  /** Its first queries; their answers come with the page. */
  queries?: readonly QueryKey[]
  sheets?: readonly CallName[]
  /**
   * Works offline: the device keeps the answers to its queries and sheets. Threat: an answer with a
   * secret in it would stay on the device.
   */
  offline?: true
  /** May show the install card: moves no money, takes no input and has a free lower edge. */
  quiet?: true
}

/**
 * Every screen of the product, tabs in their order. Plain data: router and pages derive from it.
 */
export const screens = {
  landing: {
    path: '/',
    access: 'visitor',
    title: msg('Trading Bot'),
    queries: [['getEvidenceSummary'], ['getSampleBot']],
    quiet: true,
  },
  login: { path: '/login', access: 'visitor', title: msg('Sign in'), width: 'form' },
  signup: {
    path: '/signup',
    access: 'visitor',
    title: msg('Create your account'),
    queries: [['getEvidenceSummary']],
    width: 'form',
  },

  forgotPassword: {
    path: '/forgot-password',
    access: 'both',
    title: msg('Forgot your password?'),
    width: 'form',
  },
  resetPassword: {
    path: '/reset-password',
    access: 'both',
    title: msg('Set a new password'),
    width: 'form',
  },
  verifyEmail: {
    path: '/verify-email',
    access: 'both',
    title: msg('Verify your email address'),
    width: 'form',
  },
  notMe: { path: '/not-me', access: 'both', title: msg('This was not me'), width: 'form' },

  home: {
    path: '/',
    access: 'user',
    title: msg('Home'),
    tab: 'Home',
    width: 'wide',
    live: 'Prices',
    quiet: true,
    queries: [['getPortfolio'], ['getBalanceCurve', '1M'], ['getPrices']],
    offline: true,
  },
  coin: {
    path: '/market/:id',
    access: 'user',
    title: msg('Coin'),
    tab: 'Home',
    width: 'wide',
    live: 'Prices',
    quiet: true,
    queries: [['getMarket', ':id', '1M'], ['getPrices']],
    offline: true,
  },
  deposit: {
    path: '/deposit',
    access: 'user',
    title: msg('Deposit Funds'),
    tab: 'Home',
    task: true,
    width: 'form',
    offline: true,
  },
  withdraw: {
    path: '/withdraw',
    access: 'user',
    title: msg('Withdraw Funds'),
    tab: 'Home',
    task: true,
    width: 'form',
    live: 'Figures',
    queries: [['listBankAccounts'], ['listWithdrawals'], ['getWithdrawalTerms']],
    offline: true,
  },
  bots: {
    path: '/bot-config',
    access: 'user',
    title: msg('Bot Configuration'),
    tab: 'Bots',
    width: 'wide',
    live: 'Prices',
    queries: [['getPortfolio'], ['getPrices'], ['getEvidenceSummary']],
    offline: true,
  },
  newBot: {
    path: '/bot-config/new',
    access: 'user',
    title: msg('New bot'),
    tab: 'Bots',
    task: true,
    width: 'wide',
    live: 'Prices',
    queries: [['getPortfolio'], ['getPrices'], ['getEvidenceSummary']],
    offline: true,
  },
  bot: {
    path: '/bot-config/:id',
    access: 'user',
    title: msg('Bot'),
    tab: 'Bots',
    width: 'wide',
    live: 'Prices',
    queries: [['getBotPerformance', ':id'], ['listBotTrades', ':id'], ['getPrices']],
    offline: true,
  },
  compare: {
    path: '/compare/:id',
    access: 'user',
    title: msg('Compare'),
    tab: 'Bots',
    width: 'wide',
    queries: [['compareBot', ':id', ''], ['getPrices']],
  },
  history: {
    path: '/history',
    access: 'user',
    title: msg('Transaction History'),
    tab: 'History',
    width: 'wide',
    live: 'Figures',
    quiet: true,
    queries: [['listTransactions', 'all']],
    sheets: ['getTransaction'],
    offline: true,
  },
  notices: {
    path: '/notices',
    access: 'user',
    title: msg('Notifications'),
    tab: 'Home',
    queries: [['listNotices']],
    offline: true,
    quiet: true,
  },
  help: {
    path: '/help',
    access: 'both',
    title: msg('AI Help Chat'),
    tab: 'Help',
    sheets: ['getHelpArticle'],
    offline: true,
  },
  profile: {
    path: '/profile',
    access: 'user',
    title: msg('Profile'),
    tab: 'Profile',
    live: 'Prices',
    quiet: true,
    queries: [['getPortfolio'], ['getPrices'], ['listSessions'], ['listWallets']],
    offline: true,
  },
  security: {
    path: '/profile/security',
    access: 'user',
    title: msg('Sign-in and security'),
    tab: 'Profile',
    width: 'form',
    queries: [['getFactors'], ['getProtections']],
  },
  myData: {
    path: '/profile/data',
    access: 'user',
    title: msg('Your data'),
    tab: 'Profile',
    width: 'form',
    queries: [['getClosing']],
  },
  noticeSettings: {
    path: '/notice-settings',
    access: 'user',
    title: msg('Notification settings'),
    tab: 'Profile',
    queries: [['getNoticeSettings']],
  },
  mailbox: {
    path: '/mailbox',
    access: 'user',
    title: msg('Mailbox'),
    tab: 'Profile',
    queries: [['getMailbox']],
  },
  evidence: {
    path: '/evidence',
    access: 'both',
    title: msg('Evidence'),
    tab: 'Bots',
    width: 'wide',
    queries: [['getEvidence']],
    offline: true,
    quiet: true,
  },
  trackRecord: {
    path: '/track-record',
    access: 'both',
    title: msg('Track record'),
    tab: 'Bots',
    width: 'wide',
    queries: [['getTrackRecord']],
    quiet: true,
  },
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof screens | None<Unpriced>

type CallsOf<Row> = Row extends { queries: readonly (readonly [infer Name, ...unknown[]])[] }
  ? Name
  : never
type Live<Row> =
  'getPrices' extends CallsOf<Row> ? (Row extends { live: 'Prices' } ? true : false) : false
/** Screens whose answers are valued at prices, but that lack the prices or their age. */
type Unpriced = {
  [Name in keyof typeof screens]: Extract<CallsOf<(typeof screens)[Name]>, ValuedName> extends never
    ? never
    : Live<(typeof screens)[Name]> extends true
      ? never
      : Name
}[keyof typeof screens]
/** Compiles only if there are none. */
type None<Names extends never> = Names
export type NamedScreen = Screen & { name: ScreenName }

const NAMES = Object.keys(screens) as ScreenName[]
export const allScreens: readonly NamedScreen[] = NAMES.map((name) => ({ name, ...screens[name] }))

export const tabs = allScreens.flatMap(({ tab, path }, index) => {
  const isFirst = tab !== undefined && allScreens.findIndex((other) => other.tab === tab) === index
  return isFirst ? [{ tab, path }] : []
})

export function screensFor(isSignedIn: boolean): readonly NamedScreen[] {
  return allScreens.filter(({ access }) => access !== (isSignedIn ? 'visitor' : 'user'))
}

/** For anybody. */
export function isScreen(path: string): boolean {
  return [true, false].some((isSignedIn) => screenAt(path, isSignedIn) !== undefined)
}

/** A second segment is an id, unless a screen has it in its path. */
export function screenAt(path: string, isSignedIn: boolean): NamedScreen | undefined {
  const place = path.length > 1 ? path.replace(/\/$/, '') : path
  const pattern = place.replace(/(.\/)[^/]+$/, '$1:id')
  const open = screensFor(isSignedIn)
  return (
    open.find((screen) => screen.path === place) ?? open.find((screen) => screen.path === pattern)
  )
}
