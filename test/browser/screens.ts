import type { Page } from 'playwright-core'
import { screensFor, type ScreenName } from '#contract/screens.ts'
import { baseOf } from '#core/market/pair.ts'
import { FIRST_PAIRS } from '#core/bots/first-bot.ts'
import { waitUntilInteractive } from '../spec/product.ts'
import { addressOf } from './address.ts'
import { confirmPerson, CONFIRMATION } from './confirm-person.ts'
import { NARROW_WINDOW } from './large-text.ts'
import { PASSWORD, type People, type Who } from './people.ts'
import { seeKeys, seeMessages, seeNewKey, seeNewSecret, seeWebhooks } from './program-states.ts'
import { pattern } from '../world/pattern.ts'

/** How the server behaves behind a screen: as it is, silent, or broken. */
export type Server = 'answers' | 'hangs' | 'fails'

/**
 * A state of a screen: its user, the server's behavior, the test's actions, and the text that shows
 * that it is reached; the text of a sheet is inside the sheet.
 */
export type State = {
  name: string
  path: string
  who: Who
  server: Server
  shows: string | RegExp
  inSheet?: boolean
  act?: (page: Page) => Promise<void>
}

type Looks = {
  /**
   * Shown in every state, whatever the server does. By default the title in the table of screens.
   */
  title?: string | RegExp
  /**
   * Texts of the states. A state without one looks like the normal state and is checked as well.
   */
  empty?: string | RegExp
  error?: string | RegExp
  /** The steps that make the screen call the server. */
  ask?: (page: Page) => Promise<void>
  /** Sheets and dialogs: how to open them, and what they show. */
  sheets?: readonly { open: (page: Page) => Promise<void>; shows: string | RegExp }[]
  /** Further states of the screen itself. */
  more?: readonly { name: string; act: (page: Page) => Promise<void>; shows: string | RegExp }[]
}

const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()

/** Runs steps in order. */
const both =
  (...steps: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page)
  }

const fill = (label: string, text: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill(text)
const uncheck = (name: RegExp) => (page: Page) =>
  page.getByRole('checkbox', { name }).uncheck({ force: true })

const credentials = both(fill('Username', 'nobody-here'), fill('Password', 'not the password'))
const strangersForm = both(credentials, fill('First name', 'Grace'), fill('Last name', 'Hopper'))
const openLedger = (page: Page) => page.getByText('Exact figures and ledger lines').click()
const menu = press(/^Actions for Steady/)
const act = (name: string | RegExp) =>
  both(menu, (page) =>
    page.getByRole('menuitem', { name, exact: typeof name === 'string' }).click(),
  )
const see = (text: string) => (page: Page) => page.getByText(text).first().waitFor()
/**
 * Keeps the choice to hide amounts on this page: its cookie would hide them on all other pages of
 * the user too.
 */
const hideHere = (page: Page) =>
  page.evaluate(() => {
    const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') ?? {}
    let hiding = ''
    Object.defineProperty(document, 'cookie', {
      get: () => `${get?.call(document)}; ${hiding}`,
      set: (cookie: string) => {
        if (cookie.startsWith('hide-balance=')) hiding = cookie.split('; ')[0] ?? ''
        else set?.call(document, cookie)
      },
    })
  })
const openDoor = (name: string) => (page: Page) => page.getByText(name, { exact: true }).click()
/** A busy server may give no backtest: then it is asked for again. */
const seePreview = async (page: Page): Promise<void> => {
  const button = (name: string) =>
    page.getByRole('region', { name: 'Preview' }).getByRole('button', { name, exact: true })
  await button('Details').or(button('Try again')).waitFor()
  if (!(await button('Details').isVisible()))
    await button('Try again')
      .click()
      .then(() => seePreview(page))
}
/** A busy server may give no simulation, which closes the sheet: then it is run again. */
const seeSimulation = async (page: Page): Promise<void> => {
  await act('Simulate trade with Steady BTC')(page)
  const failed = page.getByText('Trading Error')
  const result = page.getByRole('dialog').getByText('Result after fees').first()
  await result.or(failed).first().waitFor()
  if (await result.isVisible()) return
  await press('Dismiss')(page)
  await seeSimulation(page)
}
const toCard = both(press('$500'), press('Continue'))
const startAuthenticator = async (page: Page): Promise<void> => {
  await press('Set up an authenticator app')(page)
  await confirmPerson(page, PASSWORD)
  await page.getByLabel('Six-digit code').waitFor()
}

/** How to reach the states of each screen, and how they look. */
const LOOKS: Record<ScreenName, Looks> = {
  landing: { title: 'Start Trading Now' },
  login: {
    title: 'Create one',
    ask: both(credentials, press('Sign In')),
    error: 'Login failed',
    more: [{ name: 'wrong input', act: press('Sign In'), shows: 'Required' }],
  },
  signup: {
    title: 'Already have an account?',
    ask: both(strangersForm, press('Create Account')),
    error: 'Signup failed',
    more: [{ name: 'wrong input', act: press('Create Account'), shows: 'Required' }],
  },
  forgotPassword: {
    title: 'Username or email',
    ask: both(fill('Username or email', 'nobody-here'), press('Send the link')),
    error: 'Link not sent',
    more: [
      { name: 'wrong input', act: press('Send the link'), shows: 'Required' },
      {
        name: 'sent',
        act: both(fill('Username or email', 'nobody-here'), press('Send the link')),
        shows: 'Check your email',
      },
    ],
  },
  resetPassword: { title: 'Request a new link' },
  verifyEmail: { title: /This link no longer works/ },
  notMe: { title: /This link no longer works/ },
  home: {
    title: /^Welcome back, /,
    empty: 'No active bots',
    error: 'Unable to load crypto prices',
    sheets: [{ open: press('Balance breakdown'), shows: 'Money in bots moves with the market.' }],
    more: [
      {
        name: 'hidden balance',
        act: both(hideHere, press('Hide balance')),
        shows: 'Balance hidden',
      },
    ],
  },
  coin: {
    title: 'BTC/USDT, last price',
    empty: 'No bot of yours has traded BTC so far.',
    error: 'Unable to load this market',
    more: [
      { name: 'table', act: press('Show as a table'), shows: 'Hide the table' },
      {
        name: 'chosen candle',
        act: (page) => page.getByRole('slider').press('ArrowLeft'),
        shows: 'close',
      },
    ],
  },
  week: { error: 'Unable to load your week' },
  deposit: {
    ask: toCard,
    error: 'Failed to create payment intent.',
    sheets: [
      {
        open: both(
          toCard,
          fill('Card number', '4000002760003184'),
          fill('Expiry', '1234'),
          fill('CVC', '123'),
          press(/^Deposit \$/),
        ),
        shows: /bank/i,
      },
    ],
    more: [
      {
        name: 'wrong input',
        act: both(fill('Custom amount', '1'), press('Continue')),
        shows: 'Invalid Amount',
      },
      { name: 'card', act: toCard, shows: 'Complete Payment' },
      { name: 'wrong card', act: both(toCard, press(/^Deposit \$/)), shows: /card number/i },
    ],
  },
  withdraw: {
    empty: 'No bank account on file',
    error: 'Unable to load your bank accounts',
    sheets: [
      { open: press('Change'), shows: 'Add another' },
      { open: both(press('Change'), press('Add another')), shows: 'Routing number' },
      {
        open: both(press('25%'), press('Request Withdrawal'), press('Confirm withdrawal')),
        shows: CONFIRMATION,
      },
    ],
    more: [
      {
        name: 'wrong input',
        act: both(fill('Amount', '5'), press('Request Withdrawal')),
        shows: 'Minimum Withdrawal',
      },
      { name: 'review', act: both(press('25%'), press('Request Withdrawal')), shows: /confirm/i },
    ],
  },
  bots: {
    title: 'Your Trading Bots',
    empty: 'No bots yet',
    error: 'Unable to load your bots',
    sheets: [
      { open: menu, shows: 'Replays the past 30 days. No money moves.' },
      {
        open: act('Delete Steady BTC'),
        shows: 'Are you sure you want to delete this bot?',
      },
      { open: act('Rename Steady BTC'), shows: 'Save name' },
      { open: press('Stop all bots'), shows: 'Stop all bots?' },
      { open: seeSimulation, shows: 'Result after fees' },
    ],
  },
  newBot: {
    more: [
      {
        name: 'no coins',
        act: both(
          openDoor('Choose'),
          ...FIRST_PAIRS.map((pair) => uncheck(new RegExp(baseOf(pair)))),
          press('Create Trading Bot'),
        ),
        shows: 'Please select at least one trading pair',
      },
      { name: 'coins', act: openDoor('Choose'), shows: 'ADA/USDT' },
      { name: 'kinds', act: openDoor('Kind: Trend'), shows: /^Buys your coins once/ },
      {
        name: 'preview',
        act: both(openDoor('Guards, plan, fee'), seePreview),
        shows: /^Largest drop/,
      },
      {
        name: 'backtest',
        act: both(openDoor('Guards, plan, fee'), seePreview, press('Details')),
        shows: 'Result after fees',
      },
      {
        name: 'wrong input',
        act: both(fill('Bot name', ''), fill('Investment amount', ''), press('Create Trading Bot')),
        shows: 'Please enter a bot name',
      },
    ],
  },
  bot: {
    title: /^(Steady BTC|Bot)$/,
    error: 'Unable to load this bot',
    sheets: [
      { open: act(/^Delete /), shows: 'Are you sure you want to delete this bot?' },
      { open: press(/^Add money/), shows: 'Amount to add' },
      {
        open: both(press(/^Add money/), press('Review')),
        shows: 'Please enter a valid investment amount',
      },
      {
        open: both(press(/^Add money/), fill('Amount to add', '5'), press('Review')),
        shows: 'Invested afterwards',
      },
      { open: press(/^Take money out/), shows: 'Share to take out' },
      {
        open: both(press(/^Take money out/), fill('Share to take out', '100'), press('Review')),
        shows: 'Choose a share from 1 to 99 percent',
      },
      {
        open: both(press(/^Take money out/), press('75%'), press('Review')),
        shows: 'Confirm and take out 75%',
      },
    ],
  },
  compare: {
    title: /^(Compare Steady BTC with|Compare)$/,
    error: 'Unable to compare this bot',
    more: [
      {
        name: 'another bot',
        act: (page) =>
          page
            .getByLabel('Compare Steady BTC with')
            .selectOption('A second one with a rather long name')
            .then(() => undefined),
        shows: 'Largest drop',
      },
    ],
  },
  history: {
    empty: 'No transactions yet',
    error: /Unable to load/,
    sheets: [
      {
        open: both((page) => page.getByText('Card deposit').first().click(), openLedger),
        shows: 'From the card provider',
      },
      {
        open: (page) =>
          page
            .getByRole('button', { name: /^Bought|^Sold/ })
            .first()
            .click(),
        shows: 'Paid by the bot',
      },
      {
        open: both(
          (page) =>
            page
              .getByRole('button', { name: /^Bought|^Sold/ })
              .first()
              .click(),
          openLedger,
        ),
        shows: 'Your weight',
      },
    ],
    more: [
      { name: 'more filters', act: press('More filters'), shows: 'From' },
      { name: 'nothing matches', act: fill('Search', 'no such row'), shows: 'Nothing matches' },
    ],
  },
  statement: {
    error: 'Unable to load your statement',
    empty: 'No coins were sold.',
    more: [
      {
        name: 'another format',
        act: (page) =>
          page
            .getByLabel('Format')
            .selectOption('CoinTracking')
            .then(() => undefined),
        shows: 'Realized results by coin',
      },
    ],
  },
  noticeSettings: {
    error: 'Unable to load your settings',
    sheets: [
      { open: press('Add a webhook'), shows: 'Topics' },
      { open: seeNewSecret, shows: /^whsec_/ },
      {
        open: both(seeWebhooks, press('Change https://old.bots-receiver.com/')),
        shows: 'Make a new secret',
      },
      {
        open: both(seeWebhooks, press('Remove https://old.bots-receiver.com/')),
        shows: 'Remove the webhook?',
      },
    ],
    more: [
      { name: 'messages of webhooks', act: seeMessages, shows: /given up/ },
      {
        name: 'wrong limit',
        act: both(fill('Notify me at a loss of', '0'), press('Save')),
        shows: 'Please enter an amount above 0.',
      },
    ],
  },
  mailbox: { title: 'Mailbox', empty: 'No messages yet', error: 'Unable to load your messages' },
  notices: { empty: 'Nothing yet', error: 'Unable to load your notifications' },
  help: {
    ask: press('What is my balance?'),
    error: 'Chat Error',
    sheets: [
      {
        open: both(press('What does it cost?'), (page) =>
          page.getByRole('log').getByRole('button').first().click(),
        ),
        shows: /fee/i,
      },
    ],
    more: [{ name: 'answer', act: press('What is my balance?'), shows: /Available cash: \$/ }],
  },
  profile: {
    title: 'Sign Out',
    empty: 'No wallets connected yet',
    error: 'Unable to load your sessions',
    sheets: [
      { open: press('Change password'), shows: 'Current password' },
      { open: press('End all other sessions'), shows: 'Sign out 2 other devices?' },
      { open: press('Edit name'), shows: 'First name' },
      { open: press('Change email'), shows: 'Your email address' },
      { open: press('Sign-in history'), shows: /^If one of them wasn't you/ },
    ],
    more: [
      {
        name: 'wrong password',
        act: both(press('Change password'), (page) =>
          page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click(),
        ),
        shows: 'Required',
      },
    ],
  },
  security: {
    error: 'Unable to load your second factors',
    sheets: [
      { open: startAuthenticator, shows: 'Six-digit code' },
      {
        open: both(press('Make a key'), (page) =>
          page.getByRole('dialog').getByRole('radio').nth(1).check({ force: true }),
        ),
        shows: 'Open bots at most',
      },
      { open: seeNewKey, shows: /^tbk_/ },
      { open: both(seeKeys, press('Revoke Daily script')), shows: /^Revoke the key/ },
    ],
    more: [
      { name: 'a key', act: seeKeys, shows: 'Daily script' },
      {
        name: 'wrong limit',
        act: both(fill('Maximum within 24 hours', '5'), press('Save')),
        shows: 'Please enter an amount of at least $10.',
      },
    ],
  },
  myData: {
    title: 'A copy of your data',
    error: 'Unable to load what you must do first',
    empty: 'Close my account',
    more: [
      {
        name: 'what stands in the way',
        act: see('Before you can close it'),
        shows: 'Before you can close it',
      },
    ],
  },
  evidence: { error: 'The evidence could not be loaded.' },
  forecasts: { error: 'The scores of the forecasts could not be loaded.' },
  trackRecord: { error: 'The track record could not be loaded.' },
}

/** A visitor's, where they differ from a user's. */
const VISITORS_LOOKS: Partial<Record<ScreenName, Looks>> = {
  help: { ask: press('What does it cost?'), error: 'Chat Error' },
}

type Seen = Looks & { path: string; title: string | RegExp; nobody: boolean }

function seenBy({ nobody }: { nobody: boolean }): Seen[] {
  const found = screensFor(!nobody).map(({ name, path, title }) => ({
    path,
    title,
    nobody,
    ...((nobody && VISITORS_LOOKS[name]) || LOOKS[name]),
  }))
  return [...found, { path: '/nowhere', title: '404 Page Not Found', nobody }]
}

/** Screens while the user is not known yet, or cannot be determined. */
const BEFORE_ANYBODY: readonly State[] = [
  { name: 'who is there?', path: '/profile', who: 'customer', server: 'hangs', shows: 'Loading…' },
  {
    name: 'nobody answers',
    path: '/profile',
    who: 'customer',
    server: 'fails',
    shows: 'We cannot reach the server',
  },
]

/** Every state of every screen. */
export function statesOf({ botId }: Pick<People, 'botId'>): State[] {
  return [
    ...BEFORE_ANYBODY,
    ...[...seenBy({ nobody: true }), ...seenBy({ nobody: false })].flatMap((screen) =>
      states({ ...screen, path: addressOf(screen.path, botId) }),
    ),
  ]
}

function states({ path, title, nobody, empty, error, ask, sheets = [], more = [] }: Seen): State[] {
  const who = nobody ? 'nobody' : 'customer'
  const normal = { name: 'normal', path, who, server: 'answers', shows: title } as const
  const asked = ask && { act: ask }
  return [
    normal,
    ...(nobody || /-config\/|compare/.test(path)
      ? []
      : [{ ...normal, name: 'empty', who: 'newcomer', shows: empty ?? title } as const]),
    { ...normal, name: 'loading', server: 'hangs', ...asked },
    { ...normal, name: 'error', server: 'fails', shows: error ?? title, ...asked },
    ...sheets.map(({ open, shows }, index) => ({
      ...normal,
      name: `sheet ${index + 1}`,
      act: open,
      shows,
      inSheet: true,
    })),
    ...more.map((state) => ({ ...normal, ...state })),
  ]
}

/** Number of screens read in parallel: one is read while another waits for the server. */
const AT_ONCE = 3

/**
 * Opens every state, passes it with its place in the list to `inspect`, and returns what that
 * finds. A state that cannot be reached is a finding too. `read` is how a page is used in another
 * language.
 */
export async function inspectStates(
  people: People,
  inspect: (page: Page, where: string, place: number) => Promise<string[]>,
  read = (page: Page): Page => page,
): Promise<string[]> {
  const waiting = [...statesOf(people).entries()]
  const findings: string[] = []
  const worker = async () => {
    const tabs = new Map<Who, Page>()
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, state] = next
      const where = `${state.path} for ${state.who}, ${state.name}`
      try {
        const page = read(await emptyTab(tabs, { people, who: state.who }))
        await reach(page, state)
        findings.push(...(await inspect(page, where, place)))
      } catch (error) {
        findings.push(
          `${where} did not come about: ` +
            (error instanceof Error ? error.message.slice(0, 400) : String(error)),
        )
      }
    }
    for (const tab of tabs.values()) await tab.close()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return findings
}

/**
 * A tab of `who` without a trace of the last state. It is used again because a new one starts a
 * process, which costs more than showing a screen.
 */
async function emptyTab(
  tabs: Map<Who, Page>,
  { people, who }: { people: People; who: Who },
): Promise<Page> {
  const used = tabs.get(who)
  if (used === undefined) {
    const tab = await people[who].newPage()
    tabs.set(who, tab)
    return tab
  }
  await used.evaluate(() => sessionStorage.clear())
  // Cancels the calls that hang. Without their routes they would reach the server, and a sign-up
  // would sign in everybody who shares these cookies. From a page of another site, such as
  // about:blank, the browser would start a process for the next state.
  await used.goto('/robots.txt')
  await used.unrouteAll({ behavior: 'ignoreErrors' })
  await used.setViewportSize(NARROW_WINDOW.viewport)
  await used.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' })
  return used
}

async function reach(
  page: Page,
  { path, server, shows, inSheet = false, act, name }: State,
): Promise<void> {
  const knowsWho = !['who is there?', 'nobody answers'].includes(name)
  if (server !== 'answers') await interfere(page, { server, knowsWho })
  await page.goto(path, { waitUntil: 'commit' })
  // Before that, bars have not measured themselves. On a busy machine a press may be dropped, or
  // submit its form seconds later, in the next state.
  if (server === 'answers' || act) await waitUntilInteractive(page)
  await act?.(page)
  // A sheet's code may come after the press, and the screen behind it may have the same words.
  const place = inSheet ? page.locator('dialog[open], :popover-open').last() : page
  await place.getByText(shows).filter({ visible: true }).first().waitFor()
  // A button behind a dialog may wait for its answer.
  if (server === 'answers')
    await page.waitForFunction(
      () =>
        ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document).querySelector(
          '.motion-safe\\:animate-breathe, [aria-busy="true"]',
        ) === null,
    )
}

/**
 * Strips the page of its markup and of all data but the user, and leaves every call unanswered or
 * fails it.
 */
async function interfere(
  page: Page,
  { server, knowsWho }: { server: Server; knowsWho: boolean },
): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/api/'),
    (route) =>
      server === 'hangs'
        ? undefined
        : route.fulfill({
            status: 500,
            json: { code: 'internal', message: 'Something went wrong on our side.' },
          }),
  )
  await page.route(
    (url) => !/\.[a-z0-9]+$|^\/api\//.test(url.pathname),
    async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(
        pattern(
          /(<div id="root">).*/,
          /(<\/div>\s*<script type="application\/json" id="initial-data">)/,
          /(.*?)(<\/script>)/s,
        ),
        (_all, root: string, start: string, data: string, end: string) => {
          const { getUser, getConfig } = JSON.parse(data) as Record<string, unknown>
          const kept = {
            ...(getConfig !== undefined && { getConfig }),
            ...(knowsWho && getUser !== undefined && { getUser }),
          }
          return root + start + JSON.stringify(kept).replaceAll('<', '\\u003c') + end
        },
      )
      await route.fulfill({ response, body })
    },
  )
}
