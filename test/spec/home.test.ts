import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { ceilToCents } from '#core/money/cents.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#words/figures.ts'
import { resultMessage, tradesText } from '#words/trades-text.ts'
import { say } from '#words/words.ts'
import { portfolioOf } from '../world/balance-curve.ts'
import type { TestUser } from '../world/world.ts'
import { answering, FAULT, holding } from './answers.ts'
import {
  absent,
  at,
  becomes,
  chooseTab,
  equals,
  follow,
  goTo,
  heading,
  inRegion,
  leads,
  link,
  steps,
  text,
  type Check,
} from './checks.ts'
import { pass, stopClock } from './clock.ts'
import { backgroundOf, colourOf, GREEN, LOSS } from './colours.ts'
import { changeFirstData, withoutFirstData } from './first-data.ts'
import { openProduct, type Product } from './product.ts'
import { screen } from './rows.ts'
import { staying } from './toasts.ts'

let product: Product
let rich: TestUser
beforeAll(async () => {
  product = await openProduct()
  rich = await product.world.user()
  await rich.deposit('1000')
  for (const [name, pairs] of [
    ['Steady', ['BTC/USDT', 'ETH/USDT']],
    ['Resting', ['SOL/USDT']],
  ] as const) {
    await rich.call('createBot', {
      body: { name, riskLevel: 'aggressive', tradingPairs: [...pairs], investmentAmount: '250' },
    })
  }
  // Buys at once, so that the balance changes today even if no coin rises.
  await rich.call('createBot', {
    body: {
      name: 'Nest egg',
      strategy: 'hold',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '250',
    },
  })
  await product.world.hours(30)
  // Advances until the bots hold coins, which depends on today's market; only then does a day
  // change the balance.
  while ((await changeOfDay()).amount === '0.00') await product.world.hours(6)
  const resting = (await rich.call('listBots')).find(({ name }) => name === 'Resting')
  await rich.call('updateBot', { params: { id: resting?.id }, body: { isActive: false } })
})
afterAll(() => product.close())

const changeOfDay = async () => (await portfolioOf(rich)).dailyChange

const balance: Check = (page) => page.getByRole('region', { name: 'Total Balance' }).waitFor()

screen(async () => product.open('/', await product.world.user()), {
  '2 Home': {
    "greeting 'Welcome back, ' plus first name": text('Welcome back, Ada'),
    "status line 'Your bots are working hard'": text('Your bots are working hard'),
    "'Total Balance'": heading('Total Balance'),
    'the total balance is 0 by default': inRegion('Total Balance', '$0.00'),
    "the daily change is '+$0.00 (0.00%)' when nothing changed (decision 5)":
      text('+$0.00 (0.00%)'),
    "'Quick Actions' as a heading that is seen (decision 35)": heading('Quick Actions'),
    'no bots: a line beneath the status says so (decision 36)': text('No bot is running yet'),
    'quick action Deposit leads to /deposit': leads('Deposit', '/deposit'),
    'quick action Withdraw leads to /withdraw': leads('Withdraw', '/withdraw'),
    "'Active Trading Bots'": heading('Active Trading Bots'),
    'Configure leads to /bot-config': leads('Configure', '/bot-config'),
    "no bots: 'No active bots'": text('No active bots'),
    "no bots: 'Create your first bot' leads to /bot-config": leads(
      'Create your first bot',
      '/bot-config',
    ),
    "'Market Overview'": heading('Market Overview'),
    'tab Home leads to /': steps(
      follow('Profile'),
      at('/profile'),
      link('Home', '/'),
      follow('Home'),
      at('/'),
    ),
    'tab Bots leads to /bot-config': leads('Bots', '/bot-config'),
    'tab History leads to /history': leads('History', '/history'),
    'tab Help leads to /help': leads('Help', '/help'),
    'tab Profile leads to /profile': leads('Profile', '/profile'),
    'these five tabs and no other': (page) =>
      becomes(
        () => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents(),
        ['Home', 'Bots', 'History', 'Help', 'Profile'],
      ),
  },
})

const MARKETS = {
  Bitcoin: 'BTC',
  Ethereum: 'ETH',
  Cardano: 'ADA',
  Polkadot: 'DOT',
  Solana: 'SOL',
  Avalanche: 'AVAX',
  Chainlink: 'LINK',
  Uniswap: 'UNI',
  Litecoin: 'LTC',
  XRP: 'XRP',
  BNB: 'BNB',
}

const section = (page: Page, name: string) =>
  page
    .getByRole('region', { name })
    .or(page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) }))
    .first()
const market = (page: Page, name: string) =>
  section(page, 'Market Overview').getByRole('listitem').filter({ hasText: name }).first()
const bot = (page: Page, name: string, region: string | RegExp = /Bots$/) =>
  page.getByRole('region', { name: region }).getByRole('listitem').filter({ hasText: name })
const inBot =
  (name: string, words: string | RegExp): Check =>
  (page) =>
    bot(page, name).getByText(words).first().waitFor()

/** Phones show only the first coins until the reader asks for all. */
const DESK = { viewport: { width: 1280, height: 800 } }

screen(() => product.open('/', rich, DESK), {
  '2 Home, market': {
    ...Object.fromEntries(
      Object.entries(MARKETS).map(([name, symbol]): [string, Check] => [
        `${symbol}: name and symbol`,
        (page) => market(page, name).getByText(symbol, { exact: true }).last().waitFor(),
      ]),
    ),
    'MATIC: as MATIC (POL), POL (decision 14)': (page) =>
      market(page, 'MATIC (POL)').getByText('POL', { exact: true }).waitFor(),
    'each has a price in dollars': async (page) => {
      equals(
        await section(page, 'Market Overview')
          .getByRole('listitem')
          .filter({ hasText: /\$[\d,]+\.\d\d/ })
          .count(),
        12,
      )
    },
    'each has a 24-hour change with a sign and 2 decimals': async (page) => {
      equals(
        await section(page, 'Market Overview')
          .getByRole('listitem')
          .filter({ hasText: /[+−]\d+\.\d\d%/ })
          .count(),
        12,
      )
    },
  },
})

screen(() => product.open('/', rich), {
  '2 Home, bots': {
    'an active bot has a filled green dot': async (page) =>
      equals(await backgroundOf(bot(page, 'Steady').locator('.rounded-full').first()), GREEN),
    'active bots are under that heading, paused ones under another (decision 40)': async (page) => {
      await bot(page, 'Steady', 'Active Trading Bots').waitFor()
      await bot(page, 'Resting', 'Paused Bots').getByText('paused', { exact: true }).waitFor()
    },
    'an inactive bot has a dot that is not green': async (page) => {
      const dot = bot(page, 'Resting').locator('.rounded-full').first()
      equals((await backgroundOf(dot)) === GREEN, false)
    },
    name: inBot('Steady', 'Steady'),
    'trading pairs joined by commas': inBot('Steady', /BTC, ETH/),
    'risk level': inBot('Steady', /aggressive/),
    'investment amount': inBot('Steady', '$250.00'),
    'its worth, and what it made of the investment (decision 40)': async (page) => {
      const { equity, totalProfit } = (await rich.call('listBots')).find(
        ({ name }) => name === 'Steady',
      ) ?? { equity: '', totalProfit: '' }
      await inBot('Steady', `$${equity}`)(page)
      await inBot(
        'Steady',
        `${totalProfit.startsWith('-') ? '−' : '+'}$${totalProfit.replace('-', '')}`,
      )(page)
    },
    'total return as the API has it, with its sign (decision 5)': async (page) => {
      const { totalReturn = '' } =
        (await rich.call('listBots')).find(({ name }) => name === 'Steady') ?? {}
      await inBot(
        'Steady',
        `${totalReturn.startsWith('-') ? '−' : '+'}${totalReturn.replace('-', '')}%`,
      )(page)
    },
    'the total balance is totalBalance': async (page) => {
      const { totalBalance } = await rich.call('getUser')
      await becomes(
        async () =>
          (await section(page, 'Total Balance').textContent())
            ?.replaceAll(',', '')
            .includes(`$${totalBalance}`),
        true,
      )
    },
    'the daily change is computed (decision 5)': async (page) => {
      const dailyChange = await changeOfDay()
      const sign = dailyChange.amount.startsWith('-') ? '−' : '+'
      await text(
        `${sign}$${dailyChange.amount.replace('-', '')} (${dailyChange.percent.replace('-', '')}%)`,
      )(page)
    },
    'the past day in one sentence: trades, result and trading fees': async (page) => {
      await becomes(async () => {
        const { dayTrades, dailyChange } = await portfolioOf(rich)
        const paid = dayTrades.reduce((sum, { fee }) => sum + decimalToUnits(fee), 0n)
        const fees = ceilToCents(paid)
        const result = dailyChange.amount
        const figures = { trades: dayTrades, result, fees: unitsToDecimal(fees, 2) }
        const sentence = say(resultMessage(figures), {
          trades: tradesText(dayTrades),
          result: moneyText({ amount: result, sign: 'always' }),
          fees: moneyText({ amount: fees }),
        })
        return (await section(page, 'Total Balance').textContent())?.includes(sentence)
      }, true)
    },
  },
})

/** Changes figures on their way to the screen, so that every sign occurs. */
const SIGNS = changeFirstData(({ getPrices, getPortfolio: portfolio, ...data }) => {
  const prices = getPrices as Record<string, object>
  const {
    bots: [first, second],
    ...rest
  } = portfolio as { bots: object[] }
  const changes = { BTC: '1.20', ETH: '-3.40', XRP: '0.00' }
  const changed = Object.entries(changes).map(([symbol, change24h]) => [
    symbol,
    { ...prices[symbol], change24h },
  ])
  const bots = [
    { ...first, totalReturn: '4.50' },
    { ...second, totalReturn: '-6.70' },
    { ...first, id: crypto.randomUUID(), name: 'New', totalReturn: '0.00' },
  ]
  const named = bots.map((one, index) => ({ ...one, name: ['Winner', 'Loser', 'New'][index] }))
  return {
    ...data,
    getPrices: { ...prices, ...(Object.fromEntries(changed) as object) },
    getPortfolio: { ...rest, bots: named },
  }
})

const change =
  (name: string, words: string, colour: string): Check =>
  async (page) => {
    await becomes(
      () => colourOf(market(page, name).getByText(words, { exact: true }).locator('..')),
      colour,
    )
  }

screen(() => product.open('/', rich, { ...DESK, before: SIGNS }), {
  '2 Home, signs': {
    'a change above 0 is green with a plus sign': change('Bitcoin', '+1.20%', GREEN),
    'a change of 0 is green with a plus sign': change('XRP', '+0.00%', GREEN),
    'a change below 0 is red, with a true minus (decision 5)': change('Ethereum', '−3.40%', LOSS),
    "a return above 0: '+{totalReturn}%'": inBot('Winner', '+4.50%'),
    "a return of 0: '+{totalReturn}%'": inBot('New', '+0.00%'),
    'a return below 0: with a true minus (decision 5)': inBot('Loser', '−6.70%'),
    'colour never alone: an arrow too (decision 5)': (page) =>
      market(page, 'Ethereum').locator('svg.fill-current').waitFor(),
  },
})

screen(() => product.open('/', rich, { ...DESK, before: withoutFirstData('getPrices') }), {
  '2 Home, prices': {
    'skeleton rows while loading': holding('GET /api/crypto/prices', goTo('/'), (page) =>
      becomes(
        () => page.getByRole('list', { name: 'Loading prices' }).getByRole('listitem').count(),
        12,
      ),
    ),
    'prices once they are there': text('Bitcoin'),
  },
  '8 Errors': {
    "inline: 'Unable to load crypto prices'": answering(
      'GET /api/crypto/prices',
      FAULT,
      goTo('/'),
      text('Unable to load crypto prices'),
    ),
  },
  '2 Home, not logged in': {
    "destructive toast 'Unauthorized' / 'You are logged out. Logging in again...'": async (
      page,
    ) => {
      await steps(goTo('/'), balance, stopClock)(page)
      await page.context().clearCookies()
      await steps(
        chooseTab('1D'),
        staying('Unauthorized', 'You are logged out. Logging in again...'),
      )(page)
    },
    'after 499 ms the user is still there': steps(pass(499), at('/')),
    'after 500 ms the user is sent to /login': steps(pass(1), at('/login')),
  },
})

let newcomer: TestUser

async function openNewcomer() {
  newcomer = await product.world.user()
  return product.open('/', newcomer)
}

screen(openNewcomer, {
  '7 Real time': {
    'what moves money is shown without a reload: the server says what to ask again (decision 7)':
      async (page) => {
        await inRegion('Total Balance', '$0.00')(page)
        await newcomer.deposit('50')
        await inRegion('Total Balance', '$50.00')(page)
      },
  },
})

async function openWithoutName() {
  const user = await product.world.user()
  await product.world.context.sql`update users set first_name = '' where id = ${user.id}`
  return product.open('/', user)
}

screen(openWithoutName, {
  '2 Home, names': {
    'greeting without a first name: the username': text(/^Welcome back, user\d+$/),
    "greeting without any name: 'Trader'": async (page) => {
      await product.world.context.sql`update users set username = '' where first_name = ''`
      await steps(goTo('/'), text('Welcome back, Trader'), absent(/^Welcome back, user/))(page)
    },
  },
})
