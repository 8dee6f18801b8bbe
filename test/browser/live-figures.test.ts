import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstQueries } from '#contract/first-queries.ts'
import { routes, type RouteName } from '#contract/routes.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { VALUED } from '#contract/query-key.ts'
import { screensFor } from '#contract/screens.ts'
import { portfolioOf } from '../world/balance-curve.ts'
import { lengthOf } from '../world/length.ts'
import { withoutFirstData } from '../spec/first-data.ts'
import { waitUntilInteractive, openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { differences, jumpingClock, openScreens, readFigures } from './live-walk.ts'

/** Prices move and nothing trades: both bots are paused and keep their coins. */
let product: Product
let ada: TestUser
let botId = ''
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  // An odd amount: round cash could equal a bot's worth by chance.
  await ada.deposit('1337')
  const body = {
    name: 'Wide',
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT'],
    investmentAmount: '600',
  }
  botId = (await ada.call('createBot', { body })).id
  await ada.call('createBot', {
    body: {
      ...body,
      name: 'Narrow',
      tradingPairs: ['LINK/USDT', 'AVAX/USDT'],
      investmentAmount: '200',
    },
  })
  await holdCoins()
  for (const { id } of await ada.call('listBots'))
    await ada.call('updateBot', { params: { id }, body: { isActive: false } })
})
afterAll(() => product.close())

/** Lets days pass until both bots hold coins whose price can move. */
async function holdCoins(): Promise<void> {
  const holdsCoins = async (id: string) =>
    (await ada.call('getBotPerformance', { params: { id } })).holdings.some(
      ({ value }) => Number(value) > 20,
    )
  for (let day = 0; day < 120; day += 1) {
    await product.world.hours(24)
    const held = await Promise.all((await ada.call('listBots')).map(({ id }) => holdsCoins(id)))
    if (held.every(Boolean)) return
  }
  throw new Error('no bot found a trend to follow')
}

/** Never answers these calls, so that no figure can come from them. */
async function keepSilent(page: Page, ...names: RouteName[]): Promise<void> {
  const paths = names.map((name) => routes[name].path.replace(':id', botId))
  await page.route(
    (url) => paths.includes(url.pathname),
    (route) => (route.request().method() === 'GET' ? undefined : route.continue()),
  )
}

const plain = (amount: string) => amount.replaceAll(',', '').replace('−', '-')
const dollars = (amount: string) =>
  `${amount.startsWith('-') ? '-' : ''}$${amount.replace('-', '')}`
const signed = (amount: string) => `${amount.startsWith('-') ? '' : '+'}${amount}`
const signedDollars = (amount: string) =>
  `${amount.startsWith('-') ? '-' : '+'}$${amount.replace('-', '')}`

/**
 * Runs in the page: the worth in large type, the end of the curve from its accessible label, and
 * the text of the change beside it.
 */
function readWorth(): Record<'worth' | 'curveEnd' | 'change', string> {
  const text = (element: Element | null | undefined) =>
    (element?.textContent ?? '').replaceAll(',', '').replaceAll('−', '-')
  const chart = document.querySelector('[role=slider]')
  const sentence = (chart?.getAttribute('aria-label') ?? '').replaceAll(',', '')
  const curveEnd = / to (-?\$[\d.]+) \(/.exec(sentence)?.[1] ?? ''
  return {
    worth: text(document.querySelector('.font-semibold > .sr-only')),
    curveEnd,
    change: text(
      chart
        ?.closest('[class*="@container"]')
        ?.previousElementSibling?.querySelector('bdi > :last-child'),
    ),
  }
}

/** Records every moment at which the worth on screen differs from the end of its curve. */
async function watchForContradictions(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const read = ${readWorth.toString()}
    window.contradictions = []
    new MutationObserver(() => {
      const { worth, curveEnd } = read()
      if (curveEnd !== '' && worth !== curveEnd)
        window.contradictions.push(worth + ' beside a curve that ends at ' + curveEnd)
    }).observe(document.body, {
      childList: true, subtree: true, characterData: true, attributes: true,
    })
  })()`)
}

const contradictions = (page: Page) =>
  page.evaluate(() => (window as unknown as { contradictions: string[] }).contradictions)

const rowsOf = async (page: Page, region: string) => {
  const texts = await page
    .getByRole('region', { name: region })
    .locator('li a > [aria-hidden=true]')
    .allTextContents()
  return texts.map((row) => /[+−]\d+\.\d\d%/.exec(row)?.[0].replace('−', '-'))
}

async function homeShows(page: Page) {
  const { worth, curveEnd, change } = await page.evaluate(readWorth)
  return { worth, curveEnd, change, bots: await rowsOf(page, 'Paused Bots') }
}

async function homeShouldShow() {
  const { totalBalance } = await ada.call('getUser')
  const {
    dailyChange: { amount, percent },
  } = await portfolioOf(ada, '1M')
  const bots = await ada.call('listBots')
  const worth = dollars(totalBalance)
  return {
    worth,
    curveEnd: worth,
    change: `${signedDollars(amount)} (${percent.replace('-', '')}%)`,
    bots: bots.map(({ totalReturn }) => `${signed(totalReturn)}%`),
  }
}

/** Advances the market by hours, until they have moved the balance. */
async function nextPrices(): Promise<void> {
  const balance = async () => (await ada.call('getUser')).totalBalance
  const before = await balance()
  const trades = (await ada.call('getBotPerformance', { params: { id: botId } })).tradeCount
  do await product.world.hours(1)
  while ((await balance()) === before)
  expect(
    (await ada.call('getBotPerformance', { params: { id: botId } })).tradeCount,
    'nothing was traded',
  ).toBe(trades)
}

/** The app refetches what closed hours and trades change at most this often. */
const PACE_MS = 60_000

/**
 * Installs a clock in the page that runs like the real one, so that a test can skip `PACE_MS`
 * instead of waiting.
 */
const ownClock = (page: Page) => page.clock.install()
/**
 * Passes the pace, so that the next refetch comes at once, whether or not the page has received the
 * new prices yet.
 */
const passPace = (page: Page) => page.clock.fastForward(PACE_MS)

/**
 * Skips the pace until the expected figures are shown. Repeated, because an event that a busy
 * machine delivers late starts another pace.
 */
function pollPaced<Shown>(
  page: Page,
  show: (page: Page) => Promise<Shown>,
  message = 'what the page shows',
) {
  const look = async () => {
    await passPace(page)
    return show(page)
  }
  return expect.poll(look, { message, interval: 500 })
}

/** Number of comparisons of each screen that shows a figure of the API. */
const LOOKS = lengthOf({ usual: 3, full: 50 })

/**
 * Screens that make a call; others show no figure of the API. Without the statement, which names
 * its moment.
 */
const SCREENS = screensFor(true).filter(
  ({ name }) => firstQueries(name).length > 0 && name !== 'statement',
)

const WALKS = [
  ['', SCREENS, () => Promise.resolve()],
  [
    ', on a device whose clock jumps back and forth',
    SCREENS.filter(({ live }) => live),
    (page: Page) => page.addInitScript(jumpingClock),
  ],
] as const

test.each(WALKS)(
  'every screen with live money shows what the API answers, to the cent%s',
  async (_clock, screens, before) => {
    const open = await openScreens(screens, { product, user: ada, botId, before })
    try {
      const first = await readFigures(ada, botId)
      const moved: string[] = []
      for (let look = 0; look < LOOKS; look += 1) {
        await nextPrices()
        const now = await readFigures(ada, botId)
        moved.push(...[...first.keys()].filter((place) => now.get(place) !== first.get(place)))
        const compare = async () =>
          (await Promise.all(open.map((screen) => differences(screen, now)))).flat()
        await expect.poll(compare, { message: `look ${look + 1}`, interval: 250 }).toEqual([])
      }
      const live = open
        .filter(({ shows }) => shows.some((place) => moved.includes(place)))
        .map(({ name, entry }) => `${name} ${entry}`)
      const valued = SCREENS.filter(({ name }) =>
        firstQueries(name).some(([name]) => VALUED.some((each) => each === name)),
      )
      expect(live).toEqual(
        expect.arrayContaining(
          valued.flatMap(({ name }) => [`${name} by address`, `${name} by tab`]),
        ),
      )
    } finally {
      for (const { page } of open) await page.context().close()
    }
  },
)

test('Home is right from a single response, and its receipt adds up to the balance', async () => {
  const page = await product.open('/', ada)
  await ownClock(page)
  await keepSilent(page, 'getUser', 'listBots')
  await nextPrices()
  await pollPaced(page, homeShows).toEqual(await homeShouldShow())
  await page.getByRole('button', { name: 'Balance breakdown' }).click()
  const { availableBalance, heldBalance, investedBalance, totalBalance } = await ada.call('getUser')
  const lines = page.getByRole('dialog').getByRole('definition')
  await lines.first().waitFor()
  const shown = (await lines.allTextContents()).map(plain)
  expect([...shown.slice(0, 3), shown.at(-1)]).toEqual(
    [availableBalance, heldBalance, investedBalance, totalBalance].map(dollars),
  )
  await page.context().close()
})

/**
 * Runs in the page: what is wrong with the sum of the bots, the cash, the money on hold and the
 * balance; empty if it is right.
 */
function readSum(): string {
  const cents = (text: string | null | undefined) =>
    BigInt((text ?? '').replaceAll(/[^0-9−]/g, '').replace('−', '-') || '0')
  const rows = [...document.querySelectorAll('li a[href^="/bot-config/"]')].map((row) =>
    row.querySelector('bdi'),
  )
  const lines = new Map(
    [...document.querySelectorAll('dl > div')].map((line) => [
      line.querySelector('dt')?.textContent,
      cents(line.querySelector('dd')?.textContent),
    ]),
  )
  const [bots, cash, hold] = [
    rows.reduce((sum, figure) => sum + cents(figure?.textContent), 0n),
    lines.get('Available cash') ?? 0n,
    lines.get('Held for withdrawals') ?? 0n,
  ]
  const worth = document.querySelector('.font-semibold > .sr-only')
  // Ignored: after a request cut off by a jump of the clock, Home has no figures until the next
  // one.
  if (worth === null && rows.length === 0) return ''
  const total = cents(worth?.textContent)
  return bots > 0n &&
    cash > 0n &&
    hold > 0n &&
    bots === lines.get('In bots, at the last price') &&
    bots + cash + hold === total
    ? ''
    : `${bots} + ${cash} + ${hold} are not ${total}`
}

test("at every moment, Home's bots, cash and money on hold add up to the balance", async () => {
  const user = await product.world.user()
  await user.deposit('1000')
  await user.addBankAccount()
  for (const investmentAmount of ['123.45', '67.89', '99.99']) {
    await user.call('createBot', {
      body: {
        name: `Bot of ${investmentAmount}`,
        riskLevel: 'aggressive',
        tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'],
        investmentAmount,
      },
    })
  }
  await user.call('requestWithdrawal', {
    body: { amount: '20.07', bankAccountId: (await user.call('listBankAccounts'))[0]?.id },
  })
  await product.world.hours(24 * 3)
  const page = await product.open('/', user)
  await ownClock(page)
  await page.getByRole('button', { name: 'Balance breakdown' }).click()
  await page.getByRole('dialog').getByRole('definition').first().waitFor()
  await page.evaluate(`(() => {
    const read = ${readSum.toString()}
    window.contradictions = [read()].filter(Boolean)
    window.moments = 0
    new MutationObserver(() => {
      window.moments += 1
      if (read() !== '') window.contradictions.push(read())
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })()`)
  for (let step = 0; step < 3; step += 1) {
    const before = await page.evaluate('window.moments')
    await product.world.hours(5)
    await pollPaced(page, () => page.evaluate('window.moments')).not.toBe(before)
    const { totalBalance } = await user.call('getUser')
    await pollPaced(page, async () => (await page.evaluate(readWorth)).worth).toBe(
      dollars(totalBalance),
    )
  }
  expect(await contradictions(page)).toEqual([])
  await page.context().close()
})

async function botShows(page: Page) {
  const { worth, curveEnd, change } = await page.evaluate(readWorth)
  const figure = async (label: string) =>
    plain(
      (await page
        .locator('dl > div')
        .filter({ hasText: label })
        .locator('dd')
        .first()
        .textContent()) ?? '',
    )
  const holdings = await page
    .getByRole('region', { name: 'What it does now' })
    .locator('details li')
    .allTextContents()
  return {
    worth,
    curveEnd,
    change,
    result: await figure('Result before our fee'),
    worthNow: await figure('Current value'),
    holdings: holdings.map((row) => /\$[\d.]+/.exec(plain(row))?.[0]),
  }
}

async function botShouldShow() {
  const bot = (await ada.call('listBots')).find(({ id }) => id === botId)
  const { holdings } = await ada.call('getBotPerformance', { params: { id: botId } })
  const { equity = '', totalProfit = '', totalReturn = '', closingFee = '' } = bot ?? {}
  return {
    worth: dollars(equity),
    curveEnd: dollars(equity),
    change: `${signedDollars(totalProfit)} (${totalReturn.replace('-', '')}%)`,
    result: signedDollars(
      unitsToDecimal(decimalToUnits(totalProfit) + decimalToUnits(closingFee), 2),
    ),
    worthNow: dollars(equity),
    holdings: holdings.map(({ value }) => dollars(value)),
  }
}

/** Opens a page that records contradictions. */
async function openWatched(path: string): Promise<Page> {
  const page = await product.open(path, ada)
  await ownClock(page)
  await watchForContradictions(page)
  return page
}

test('between trades, all figures follow the prices, and no older balance is shown', async () => {
  const [home, ranged, bot] = await Promise.all([
    openWatched('/'),
    openWatched('/'),
    openWatched(`/bot-config/${botId}`),
  ])
  for (const range of ['1D', 'All', '1D', 'All'] as const) {
    await ranged.getByRole('tab', { name: range, exact: true }).click()
    await nextPrices()
    const [onHome, ofBot] = await Promise.all([homeShouldShow(), botShouldShow()])
    await pollPaced(home, homeShows, 'Home').toEqual(onHome)
    await pollPaced(ranged, homeShows, range).toEqual(onHome)
    await pollPaced(bot, botShows, 'the bot').toEqual(ofBot)
  }
  for (const page of [home, ranged, bot]) {
    expect(await contradictions(page)).toEqual([])
    await page.context().close()
  }
})

test('the number of trades comes from the response that lists them', async () => {
  const user = await product.world.user()
  await user.deposit('500')
  const body = {
    name: 'Fresh',
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT', 'LINK/USDT'],
    investmentAmount: '500',
  }
  const { id } = await user.call('createBot', { body })
  const page = await product.open(`/bot-config/${id}`, user)
  await page.getByText('No trades yet.').waitFor()
  await ownClock(page)
  await page.route(`**${routes.getBotPerformance.path.replace(':id', id)}`, () => undefined)
  const { items } = await tradesOf(user, id)
  const list = page.getByRole('region', { name: 'Trades' })
  const shown = async () => ({
    lines: await list.getByRole('listitem').count(),
    count: await list.getByRole('heading').locator('+ span').textContent(),
  })
  const lines = Math.min(items.length, 1)
  await pollPaced(page, shown).toEqual({ lines, count: String(items.length) })
  if (items.length > lines) {
    await list.getByRole('button', { name: 'All trades' }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(items.length)
  }
  await page.context().close()
})

async function tradesOf(user: TestUser, id: string) {
  for (let day = 0; day < 60; day += 1) {
    const trades = await user.call('listBotTrades', { params: { id } })
    if (trades.items.length > 0) return trades
    await product.world.hours(24)
  }
  throw new Error('the bot found no trend to follow')
}

test('the bots and the available balance are in one response', async () => {
  const user = await product.world.user()
  await user.deposit('500')
  const page = await product.open('/bot-config', user, {
    viewport: { width: 1_280, height: 800 },
    isMobile: false,
  })
  await page.getByText('Available balance: $500.00').waitFor()
  await keepSilent(page, 'getUser', 'listBots')
  await user.call('createBot', {
    body: {
      name: 'Elsewhere',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '120',
    },
  })
  await page
    .getByRole('region', { name: 'Your Trading Bots' })
    .getByText('Elsewhere', { exact: true })
    .waitFor()
  expect(await page.getByText('Available balance: $380.00').count()).toBe(1)
  await page.context().close()
})

test('money that arrived during another screen is on Home at once', async () => {
  const user = await product.world.user()
  const page = await product.open('/', user)
  await page.getByText('$0.00').first().waitFor()
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByText('Account balance').waitFor()
  await user.deposit('75')
  await page.getByText('$75.00').first().waitFor()
  await page.route(`**${routes.getPortfolio.path}*`, () => undefined)
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('region', { name: 'Total Balance' }).getByText('$75.00').first().waitFor()
  await page.context().close()
})

test('an unknown withdrawable amount is not shown as if it were the cash', async () => {
  const user = await product.world.user()
  await user.deposit('75')
  const before = async (page: Page) => {
    await withoutFirstData('getWithdrawalTerms')(page)
    await keepSilent(page, 'getWithdrawalTerms')
  }
  const page = await product.open('/withdraw', user, { before })
  await waitUntilInteractive(page)
  await page.getByText('Available for withdrawal').waitFor()
  expect(await page.getByText('$75.00').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Max' }).isDisabled()).toBe(true)
  await page.context().close()
})

test('no screen shows an older balance while the worth of moved bots is fetched', async () => {
  const page = await product.open('/help', ada)
  const { totalBalance: before } = await ada.call('getUser')
  await nextPrices()
  await keepSilent(page, 'getPortfolio')
  for (const tab of ['Profile', 'Home']) {
    await page.getByRole('link', { name: tab, exact: true }).click()
    await page.getByRole('heading', { name: /^Balance$|^Total Balance$/ }).waitFor()
    expect(plain(await page.getByRole('main').innerText()), `${tab}`).not.toContain(dollars(before))
  }
  await page.context().close()
})
