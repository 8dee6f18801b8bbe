import { afterAll, beforeAll } from 'vitest'
import { BEAT, BEAT_INTERVAL_MS } from '#contract/events.ts'
import { answering, FAULT, holding } from './answers.ts'
import {
  absent,
  at,
  becomes,
  button,
  disabled,
  equals,
  fill,
  follow,
  goTo,
  heading,
  inRegion,
  key,
  press,
  steps,
  text,
  type Check,
} from './checks.ts'
import { pass, stopClock } from './clock.ts'
import { withoutFirstData } from './first-data.ts'
import { waitUntilInteractive, openProduct, type Product } from './product.ts'
import { requestsOf } from './requests.ts'
import { screen } from './rows.ts'
import { staying } from './toasts.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const shows = (path: string, ...seen: Check[]): Check => steps(goTo(path), ...seen, at(path))
const notFound = steps(
  heading('404 Page Not Found'),
  text('Did you forget to add the page to the router?'),
)
const loading: Check = (page) => page.getByRole('status').getByText('Loading…').waitFor()

screen(async () => product.open('/', await product.world.user()), {
  '2 Routes, signed in': {
    '/ is home': shows('/', text('Welcome back, Ada')),
    '/deposit': shows('/deposit', heading('Deposit Funds')),
    '/withdraw': shows('/withdraw', heading('Withdraw Funds')),
    '/bot-config': shows('/bot-config', heading('Bot Configuration')),
    "/market/BTC-USD is a coin's page": shows('/market/BTC-USD', heading('Bitcoin')),
    '/week': shows('/week', heading('Your week')),
    '/history': shows('/history', heading('Transaction History')),
    '/help is the AI help chat': shows('/help', heading('AI Help Chat')),
    '/profile': shows('/profile', heading('Profile')),
    '/evidence (decision 23)': shows(
      '/evidence',
      (page) => page.getByRole('heading', { level: 1 }).waitFor(),
      absent('404 Page Not Found'),
    ),
    '/forecasts (decision 41)': shows('/forecasts', heading('Range forecasts')),
    "/statement is a year's statement": shows('/statement', heading('Year statement')),
    "any other path: '404 Page Not Found'": shows('/no-such-page', notFound),
    "a path below a screen that is none: '404 Page Not Found'": shows('/history/all', notFound),
  },
})

/** A bot that buys at once. */
async function openHolding() {
  const user = await product.world.user()
  await user.deposit('1000')
  const body = { name: 'Keeps', strategy: 'hold', tradingPairs: ['BTC/USDT'] }
  const bot = await user.call('createBot', { body: { ...body, investmentAmount: '200' } })
  await product.world.hours(2)
  return product.open(`/bot-config/${bot.id}`, user)
}

const NEXT_DAY = 'Next 24 h (market time)'

screen(openHolding, {
  '2 The next day of a bot with coins (decision 41)': {
    'its range, and the chance of a fall': steps(
      inRegion(NEXT_DAY, /^−\d+\.\d\d% to \+\d+\.\d\d%, 8 times in 10$/),
      (page) => page.getByRole('region', { name: NEXT_DAY }).getByText(NEXT_DAY).click(),
      inRegion(NEXT_DAY, /^A fall of 5% or more: (under )?\d+%\.$/),
    ),
    'simulated prices are named': text(/was trained on recorded prices; these are simulated\./),
    'a guard that is typed: its chance, and what became of such chances': steps(
      press('Set guards of Keeps'),
      (page) => page.getByLabel(/^Stop at a loss of/).fill('2'),
      text(/^Chance of a fall of 2% from now within 24 hours: (under )?\d+%\. When the forecast /),
      text(/%, it happened in \d+\.\d\d% of [\d,]+ cases\.$/),
      key('Escape'),
    ),
    'how good such ranges were': steps(follow('How accurate such ranges were'), at('/forecasts')),
    'a new bot, before it starts': steps(
      goTo('/bot-config/new'),
      (page) => page.getByText('Guards, plan, fee').click(),
      inRegion(
        'Next 24 h',
        /^(At today's swings this bot could move from −|It would start in cash)/,
      ),
    ),
  },
})

screen(() => product.open('/'), {
  '2 Routes, signed out': {
    '/ is the landing': shows('/', text('AI-powered crypto trading')),
    '/login': shows('/login', button('Sign In')),
    '/signup': shows('/signup', button('Create Account')),
    '/help': shows('/help', heading('AI Help Chat')),
    '/evidence (decision 23)': shows(
      '/evidence',
      (page) => page.getByRole('heading', { level: 1 }).waitFor(),
      absent('404 Page Not Found'),
    ),
    '/forecasts (decision 41)': shows('/forecasts', heading('Range forecasts')),
    "any other path: '404 Page Not Found'": shows('/no-such-page', notFound),
    "any other path: 'Did you forget to add the page to the router?'": shows('/admin', notFound),
    '/api/login leads to /login': steps(goTo('/api/login'), at('/login')),
  },
})

/** A protected path without a session: the toast, and after half a second the login. */
const isProtected =
  (path: string): Check =>
  async (page) => {
    const toast = staying('Unauthorized', 'You are logged out. Logging in again...')
    const calls = await requestsOf(
      page,
      steps(goTo(path), loading, toast, pass(499), at(path), pass(1), at('/login')),
    )
    equals(calls.includes('GET /api/login'), true)
  }

screen(() => product.open('/login', undefined, { before: stopClock }), {
  '4 Signed out on a protected screen': Object.fromEntries(
    ['/deposit', '/withdraw', '/bot-config', '/history', '/profile'].map((path) => [
      `${path}: the Unauthorized toast, and after 0.5 s the login endpoint (decision 23)`,
      isProtected(path),
    ]),
  ),
})

async function openForgotten() {
  const page = await product.open('/deposit', await product.world.user())
  await fill({ 'Custom amount': '100' })(page)
  await stopClock(page)
  await page.context().clearCookies()
  return page
}

screen(openForgotten, {
  '4 Any answer of 401': {
    'a call that answers 401 Unauthorized gets the Unauthorized toast': steps(
      press('Continue'),
      staying('Unauthorized', 'You are logged out. Logging in again...'),
    ),
  },
  '9 Redirect': {
    'after 499 ms nothing happened yet': steps(pass(499), at('/deposit')),
    'after 500 ms the user is sent to the login': steps(pass(1), at('/login')),
  },
})

const USER = 'GET /api/auth/user'
const waits = (path: string): Check =>
  holding(USER, goTo(path), loading, absent('404 Page Not Found'))

/** Waits until all requests are answered. The page's clock is stopped and advances only here. */
const settled: Check = async (page) => {
  await becomes(async () => (await pass(100)(page), page.getByText('Bitcoin').count()), 1)
  await page.waitForLoadState('networkidle')
  await pass(1_000)(page)
}

/** From the next page on, the event stream sends only heartbeats, timed by the page's clock. */
const quietStream: Check = (page) =>
  page.addInitScript(
    ([beat, intervalMs]) => {
      class QuietStream extends EventTarget {
        static readonly OPEN = 1
        readonly readyState = QuietStream.OPEN
        #beating = setInterval(() => this.dispatchEvent(new Event(beat)), intervalMs)
        close = () => clearInterval(this.#beating)
      }
      Object.assign(window, { EventSource: QuietStream })
    },
    [BEAT, BEAT_INTERVAL_MS] as const,
  )

screen(
  async () =>
    product.open('/help', await product.world.user(), {
      before: withoutFirstData('getUser', 'getPortfolio'),
    }),
  {
    '2 Routes, loading': {
      '/ shows a loading screen while authentication loads': waits('/'),
      ...Object.fromEntries(
        ['/deposit', '/withdraw', '/bot-config', '/history', '/profile'].map((path) => [
          `${path} shows a loading screen while authentication loads (decision 23)`,
          waits(path),
        ]),
      ),
      '/login shows no loading screen': holding(
        USER,
        goTo('/login'),
        button('Sign In'),
        absent('Loading…'),
      ),
      '/signup shows no loading screen': holding(
        USER,
        goTo('/signup'),
        button('Create Account'),
        absent('Loading…'),
      ),
      '/help shows no loading screen': holding(USER, goTo('/help'), heading('AI Help Chat')),
    },
    '4 Authentication': {
      'authenticated when the current-user fetch returns data': steps(
        goTo('/'),
        text('Welcome back, Ada'),
      ),
      'not authenticated when it returns none': answering(
        USER,
        {
          status: 401,
          json: { code: 'not-signed-in', message: 'You are logged out. Logging in again...' },
        },
        goTo('/'),
        text('AI-powered crypto trading'),
      ),
      'no retry: it is asked once': async (page) => {
        const calls = await requestsOf(
          page,
          answering(USER, FAULT, goTo('/'), text('We cannot reach the server')),
        )
        equals(calls.filter((call) => call === USER).length, 1)
      },
    },
    '7 Queries': {
      'a failed query is not retried': async (page) => {
        const calls = await requestsOf(
          page,
          answering('GET /api/portfolio', FAULT, goTo('/'), text('Unable to load the history')),
        )
        equals(calls.filter((call) => call === 'GET /api/portfolio').length, 1)
      },
      'data never goes stale: away and back asks nothing again': async (page) => {
        await steps(goTo('/'), text('Bitcoin'), text('+$0.00 (0.00%)'))(page)
        const calls = await requestsOf(
          page,
          steps(follow('Profile'), text('Account balance'), follow('Home'), text('Bitcoin')),
        )
        equals(
          calls.filter((call) =>
            ['GET /api/portfolio', 'GET /api/trading-bots', 'GET /api/crypto/prices'].includes(
              call,
            ),
          ),
          [],
        )
      },
      'no refetch on focus': async (page) => {
        await steps(goTo('/'), text('Bitcoin'), (at) =>
          at.waitForLoadState('networkidle').catch(() => undefined),
        )(page)
        const comeBack = () => {
          window.dispatchEvent(new Event('focus'))
          document.dispatchEvent(new Event('visibilitychange'))
        }
        equals(await requestsOf(page, (at) => at.evaluate(comeBack)), [])
      },
      'requests send credentials': async (page) => {
        const request = page.waitForRequest((one) => one.url().includes('/api/portfolio'))
        await goTo('/')(page)
        equals(((await (await request).allHeaders())['cookie'] ?? '').startsWith('sid='), true)
      },
      'no polling: an hour without news asks nothing (decision 7)': async (page) => {
        await steps(quietStream, stopClock, goTo('/'), settled)(page)
        equals(await requestsOf(page, pass(3_600_000)), [])
      },
    },
  },
)

/** The layer of the installable app has loaded; it watches the network. */
const layered: Check = (page) => page.locator('body > .contents').waitFor({ state: 'attached' })

screen(async () => product.open('/', await product.world.user()), {
  '2 Banners': {
    "offline: 'You're offline. Some features may not be available.'": steps(
      layered,
      (page) => page.context().setOffline(true),
      text("You're offline. Some features may not be available."),
    ),
    'offline: how old the last known figures are (decision 25)': text(
      /^Last known figures, as of /,
    ),
    'online again: no banner': steps(
      (page) => page.context().setOffline(false),
      absent("You're offline. Some features may not be available."),
    ),
  },
  '4 Connectivity': {
    "offline follows the browser's event": steps(
      (page) => page.context().setOffline(true),
      (page) => becomes(() => page.evaluate(() => navigator.onLine), false),
      text("You're offline. Some features may not be available."),
    ),
    "online follows the browser's event": steps(
      (page) => page.context().setOffline(false),
      (page) => becomes(() => page.evaluate(() => navigator.onLine), true),
      absent("You're offline. Some features may not be available."),
    ),
  },
})

const offline: Check = (page) => page.context().setOffline(true)
const REASON = text("You're offline: you can't make changes until you're back online.")

for (const [path, action] of [
  ['/deposit', 'Continue'],
  ['/withdraw', 'Request Withdrawal'],
  ['/bot-config/new', 'Create Trading Bot'],
] as const) {
  screen(async () => product.open(path, await product.world.user()), {
    '4 Connectivity': {
      [`offline, '${action}' on ${path} is disabled, with the reason (decision 25)`]: steps(
        button(action),
        waitUntilInteractive,
        offline,
        disabled(action),
        REASON,
      ),
    },
  })
}

screen(
  async () =>
    product.open('/deposit', await product.world.user(), {
      before: withoutFirstData('listTransactions'),
    }),
  {
    '7 Requests': {
      'a body is JSON with a JSON content type': async (page) => {
        const request = page.waitForRequest('**/api/create-payment-intent')
        await steps(fill({ 'Custom amount': '25' }), press('Continue'))(page)
        const { 'content-type': type } = (await request).headers()
        equals([type, (await request).postDataJSON()], ['application/json', { amount: '25' }])
      },
      'without a body there is no content type': async (page) => {
        const request = page.waitForRequest((one) => one.url().includes('/api/transactions'))
        await goTo('/history')(page)
        equals((await request).headers()['content-type'], undefined)
      },
    },
  },
)

/** `call` makes the page log these words to the console. */
const logs =
  (words: string, call: Check): Check =>
  async (page) => {
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await call(page)
    await becomes(() => said.includes(words), true)
  }

const HISTORY = 'GET /api/transactions'
const askHistory = steps(goTo('/history'), text('Unable to load your transactions'))

screen(
  async () =>
    product.open('/', await product.world.user(), { before: withoutFirstData('listTransactions') }),
  {
    '7 API errors': {
      "an error surfaces as '{status}: {body text}', in the log (decision 22)": logs(
        '503: not today',
        answering(HISTORY, { status: 503, body: 'not today' }, askHistory),
      ),
      "with the status text where the body is empty: '{status}: {status text}' (decision 22)": logs(
        '503: Service Unavailable',
        answering(HISTORY, { status: 503, body: '' }, askHistory),
      ),
    },
  },
)
