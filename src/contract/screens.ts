import { msg } from '#words/words.ts'

export type Tab = 'Home' | 'Bots' | 'History' | 'Help' | 'Profile'

/**
 * The two ways to keep figures of a screen current: valued at the last price, or refetched when
 * money moves.
 */
export type LiveFigures = 'Prices' | 'Figures'

export type Width = 'form' | 'wide'

export type Screen = {
  /** `:id` marks a path parameter. */
  path: `/${string}`
  /** 'visitor': not signed in. */
  access: 'user' | 'visitor' | 'both'
  title: string
  /** The tab of the screen; a tab opens its first screen. Visitors see no tabs. */
  tab?: Tab
  /** A task with an end: phones hide the tabs, wider screens (768 px) keep the rail. */
  task?: true
  /** form: a column of fields · wide: own columns from 1024 px · undefined: one readable column. */
  width?: Width
  /** Figures that the event stream keeps current. */
  live?: LiveFigures
  /**
   * The screen may show the install card, because it moves no money, takes no input and has a free
   * lower edge.
   */
  quiet?: true
}

/**
 * Every screen of the product, tabs in their order. Plain data, from which router and pages are
 * built.
 */
export const screens = {
  landing: {
    path: '/',
    access: 'visitor',
    title: msg('Trading Bot'),
    quiet: true,
  },
  login: { path: '/login', access: 'visitor', title: msg('Sign in'), width: 'form' },
  signup: {
    path: '/signup',
    access: 'visitor',
    title: msg('Create your account'),
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
  },
  coin: {
    path: '/market/:id',
    access: 'user',
    title: msg('Coin'),
    tab: 'Home',
    width: 'wide',
    live: 'Prices',
    quiet: true,
  },
  week: {
    path: '/week',
    access: 'user',
    title: msg('Your week'),
    tab: 'Home',
    width: 'wide',
  },
  deposit: {
    path: '/deposit',
    access: 'user',
    title: msg('Deposit Funds'),
    tab: 'Home',
    task: true,
    width: 'form',
  },
  withdraw: {
    path: '/withdraw',
    access: 'user',
    title: msg('Withdraw Funds'),
    tab: 'Home',
    task: true,
    width: 'form',
    live: 'Figures',
  },
  bots: {
    path: '/bot-config',
    access: 'user',
    title: msg('Bot Configuration'),
    tab: 'Bots',
    width: 'wide',
    live: 'Prices',
  },
  newBot: {
    path: '/bot-config/new',
    access: 'user',
    title: msg('New bot'),
    tab: 'Bots',
    task: true,
    width: 'wide',
    live: 'Prices',
  },
  bot: {
    path: '/bot-config/:id',
    access: 'user',
    title: msg('Bot'),
    tab: 'Bots',
    width: 'wide',
    live: 'Prices',
  },
  compare: {
    path: '/compare/:id',
    access: 'user',
    title: msg('Compare'),
    tab: 'Bots',
    width: 'wide',
  },
  history: {
    path: '/history',
    access: 'user',
    title: msg('Transaction History'),
    tab: 'History',
    width: 'wide',
    live: 'Figures',
    quiet: true,
  },
  statement: {
    path: '/statement',
    access: 'user',
    title: msg('Year statement'),
    tab: 'History',
  },
  notices: {
    path: '/notices',
    access: 'user',
    title: msg('Notifications'),
    tab: 'Home',
    quiet: true,
  },
  help: {
    path: '/help',
    access: 'both',
    title: msg('AI Help Chat'),
    tab: 'Help',
  },
  profile: {
    path: '/profile',
    access: 'user',
    title: msg('Profile'),
    tab: 'Profile',
    live: 'Prices',
    quiet: true,
  },
  security: {
    path: '/profile/security',
    access: 'user',
    title: msg('Sign-in and security'),
    tab: 'Profile',
    width: 'form',
  },
  myData: {
    path: '/profile/data',
    access: 'user',
    title: msg('Your data'),
    tab: 'Profile',
    width: 'form',
  },
  noticeSettings: {
    path: '/notice-settings',
    access: 'user',
    title: msg('Notification settings'),
    tab: 'Profile',
  },
  mailbox: {
    path: '/mailbox',
    access: 'user',
    title: msg('Mailbox'),
    tab: 'Profile',
  },
  evidence: {
    path: '/evidence',
    access: 'both',
    title: msg('Evidence'),
    tab: 'Bots',
    width: 'wide',
    quiet: true,
  },
  forecasts: {
    path: '/forecasts',
    access: 'both',
    title: msg('Range forecasts'),
    tab: 'Bots',
    width: 'wide',
    quiet: true,
  },
  trackRecord: {
    path: '/track-record',
    access: 'both',
    title: msg('Track record'),
    tab: 'Bots',
    width: 'wide',
    quiet: true,
  },
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof screens
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

/** Whether there is a screen at this path, for users or visitors. */
export function isScreen(path: string): boolean {
  return [true, false].some((isSignedIn) => screenAt(path, isSignedIn) !== undefined)
}

/**
 * The screen at a path. The last segment is an id, unless a screen has exactly this path:
 * '/bot-config/new'.
 */
export function screenAt(path: string, isSignedIn: boolean): NamedScreen | undefined {
  const place = path.length > 1 ? path.replace(/\/$/, '') : path
  const pattern = place.replace(/(.\/)[^/]+$/, '$1:id')
  const open = screensFor(isSignedIn)
  return (
    open.find((screen) => screen.path === place) ?? open.find((screen) => screen.path === pattern)
  )
}
