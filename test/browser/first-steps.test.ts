import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { FIRST_PAIRS } from '#core/bots/first-bot.ts'
import { changeFirstData } from '../spec/first-data.ts'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { wordsShown } from './words-shown.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const card = (page: Page) => page.getByRole('region', { name: 'Three steps to your first trade' })
const firstBotCard = (page: Page) => page.getByRole('region', { name: 'See a bot trade' })
const progress = (page: Page) => card(page).getByRole('paragraph')
/** Buttons and links in the accent color: what the screen suggests first. */
const suggested = (page: Page) =>
  page.locator('main').locator('a.bg-accent, button.bg-accent').allTextContents()

async function openHome(user: TestUser): Promise<Page> {
  const page = await product.open('/', user)
  return page
}

/** Creates a bot on a pair without a present trend, found by bots of another user. */
async function createWaitingBot(user: TestUser): Promise<string> {
  const scout = await product.world.user()
  await scout.deposit('500')
  const bot = { name: 'Patient', riskLevel: 'moderate', investmentAmount: '50' }
  for (const pair of product.world.context.feed.pairs) {
    const { doing } = await scout.call('createBot', {
      body: { ...bot, tradingPairs: [pair], investmentAmount: '10' },
    })
    if (doing?.startsWith('In cash.'))
      return (await user.call('createBot', { body: { ...bot, tradingPairs: [pair] } })).id
  }
  throw new Error('every pair has a trend')
}

/** A user's bots, rows of the history and notices, without ids and times. */
async function traces(user: TestUser) {
  const [bots, transactions, notices] = await Promise.all([
    user.call('listBots'),
    user.call('listTransactions', {}),
    user.call('listNotices', {}),
  ])
  return {
    bots: bots.map(({ id: _id, createdAt: _created, updatedAt: _updated, ...bot }) => bot),
    transactions: transactions.items.map(({ type, amount, description, status }) => ({
      type,
      amount,
      description,
      status,
    })),
    notices: notices.items.map(({ kind, details }) => ({ kind, amount: details['amount'] })),
  }
}

async function startNow(page: Page): Promise<void> {
  await firstBotCard(page).getByRole('button', { name: 'Start with $500 paper money' }).click()
}

test('one press gives the same bot, history and notices as all steps', async () => {
  const [one, many] = await Promise.all([product.world.user(), product.world.user()])
  const page = await openHome(one)
  expect(await suggested(page)).toEqual(['Start with $500 paper money'])
  expect(await page.getByText('Your balance chart').count(), 'there is no chart of nothing').toBe(0)
  await startNow(page)
  await page.getByRole('heading', { name: 'Moderate 5 coins', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'What it does now' }).waitFor()
  await page.context().close()

  await many.deposit('500')
  const stepped = await product.open('/bot-config/new', many)
  await stepped.getByLabel('Investment amount').fill('500')
  await stepped.getByRole('button', { name: 'Create Trading Bot' }).click()
  await stepped.getByRole('heading', { name: 'Moderate 5 coins', level: 1 }).waitFor()
  await stepped.context().close()

  expect(await traces(one)).toEqual(await traces(many))
  expect((await traces(one)).bots).toMatchObject([
    { riskLevel: 'moderate', tradingPairs: [...FIRST_PAIRS], investmentAmount: '500.00' },
  ])
})

/** Evidence of the suggested bot, which is installed with the product. */
const withEvidence = changeFirstData((data) => ({
  ...data,
  getEvidenceSummary: {
    state: 'figures',
    hypothetical: true,
    prices: 'Recorded Binance prices',
    levels: [],
    firstBot: { worst: '-14.89', median: '13.59', best: '72.54' },
  },
}))

test('an empty Home shows in few words what the amount became in the past', async () => {
  const page = await product.open('/', await product.world.user(), { before: withEvidence })
  const said = firstBotCard(page).getByRole('paragraph')
  await expect
    .poll(() => said.textContent())
    .toContain(
      'It can lose money.worst $425median $567best $862' +
        'Hypothetical, any past 12 months. Recorded Binance prices.',
    )
  expect((await wordsShown(page)).length).toBeLessThanOrEqual(95)
  await page.context().close()
})

test.each(['en', 'de'])(
  'on a small phone the tabs do not cover the start, in %s',
  async (locale) => {
    const page = await product.open('/', await product.world.user(), {
      before: withEvidence,
      locale,
      viewport: { width: 360, height: 640 },
    })
    await page.getByText('$862').or(page.getByText('862 $')).waitFor()
    const start = await page.locator('main button.bg-accent').boundingBox()
    const tabs = await page.locator('#main-nav').boundingBox()
    expect((start?.y ?? 0) + (start?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0)
    await page.context().close()
  },
)

test('without evidence, an empty Home shows no outcome and no error', async () => {
  const page = await openHome(await product.world.user())
  const card = firstBotCard(page)
  await card.getByText('It can lose money.').waitFor()
  expect(await card.getByText(/Hypothetical|evidence/).count()).toBe(0)
  await page.context().close()
})

test('a press that fails halfway is reported, loses nothing, and can be repeated', async () => {
  for (const { route, toast, left } of [
    {
      route: 'createPaymentIntent',
      toast: 'Failed to create payment intent.',
      left: { availableBalance: '0.00', firstStep: 'deposit' },
    },
    {
      route: 'confirmDeposit',
      toast: 'Failed to process deposit.',
      left: { availableBalance: '0.00', firstStep: 'deposit' },
    },
    {
      route: 'createBot',
      toast: 'Failed to create trading bot.',
      left: { availableBalance: '500.00', firstStep: 'bot' },
    },
  ] as const) {
    const user = await product.world.user()
    const page = await openHome(user)
    const path = `**${routes[route].path}`
    await page.route(path, (request) => request.fulfill({ status: 500, body: '' }))
    await startNow(page)
    await page.getByText(toast).first().waitFor()
    expect({ route, ...(await user.call('getPortfolio')) }).toMatchObject({ route, ...left })
    await page.unroute(path)
    if (left.firstStep === 'bot')
      await card(page).getByRole('link', { name: 'Pick a risk' }).waitFor()
    else {
      await startNow(page)
      await page.getByRole('heading', { name: 'Moderate 5 coins', level: 1 }).waitFor()
      const { totalBalance } = await user.call('getPortfolio')
      expect(totalBalance, 'deposited once').toBe('500.00')
    }
    await page.context().close()
  }
})

test('a second press, and a reload meanwhile, start only one bot with one deposit', async () => {
  const user = await product.world.user()
  const page = await openHome(user)
  const button = firstBotCard(page).getByRole('button', { name: 'Start with $500 paper money' })
  await button.dblclick()
  await page.getByRole('heading', { name: 'Moderate 5 coins', level: 1 }).waitFor()
  expect(await user.call('listBots')).toHaveLength(1)
  expect((await user.call('listTransactions', {})).items).toHaveLength(2)
  await page.goto(`${product.url}/`)
  await card(page).getByText('Step 3 of 3').waitFor()
  expect(await page.getByRole('button', { name: /^Start with/ }).count()).toBe(0)
  await page.context().close()
})

test('a newcomer who chooses is guided to the first trade: add money, pick a risk', async () => {
  const user = await product.world.user()
  const page = await openHome(user)
  const choice = firstBotCard(page).getByRole('link', { name: 'Choose it myself' })
  expect(await choice.getAttribute('href')).toBe('/deposit')

  await user.deposit('500')
  await expect.poll(() => progress(page).textContent()).toContain('Step 2 of 3. Choose its risk')
  expect(await page.getByText('Your balance chart').count(), 'no bot, no chart').toBe(0)
  const next = await card(page).getByRole('link', { name: 'Pick a risk' }).boundingBox()
  const tabs = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
  expect((next?.y ?? 1_000) + (next?.height ?? 0), 'above the tabs').toBeLessThan(tabs?.y ?? 0)
  expect(await suggested(page)).toEqual(['Pick a risk'])
  expect(await card(page).getByRole('link', { name: 'Pick a risk' }).getAttribute('href')).toBe(
    '/bot-config/new',
  )

  const id = await createWaitingBot(user)
  await page.getByText('Your balance chart will start here.').waitFor()
  await expect
    .poll(() => progress(page).textContent())
    .toMatch(/Step 3 of 3\. In cash\. 0 of \d+ trends up\. Buys /)
  await page
    .getByRole('region', { name: 'Active Trading Bots' })
    .getByText(/^In cash\. 0 of \d+ trends up\. Buys [A-Z]+ above \$[\d.,]+\.$/)
    .waitFor()
  expect(await card(page).getByRole('link').getAttribute('href')).toBe(`/bot-config/${id}`)

  for (let day = 0; day < 90 && (await user.call('getPortfolio')).firstStep !== null; day += 1)
    await product.world.hours(24)
  expect((await user.call('listBotTrades', { params: { id } })).count).toBeGreaterThan(0)
  await expect.poll(() => card(page).count()).toBe(0)
  await page.context().close()
})

/** Sums what the browser counts as layout shifts from now on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    'window.shift = 0; new PerformanceObserver((list) => { for (const { value } of ' +
      `list.getEntries()) window.shift += value }).observe({ type: 'layout-shift' })`,
  )
  return () => page.evaluate(() => (window as unknown as { shift: number }).shift)
}

test('a waiting bot offers its past and a Hold bot, until it trades', async () => {
  const user = await product.world.user()
  await user.deposit('900')
  const id = await createWaitingBot(user)
  const [bot] = await user.call('listBots')
  const page = await product.open(`/bot-config/${id}`, user)
  const trades = page.getByRole('region', { name: 'Trades' })
  const replay = trades.getByRole('button', { name: 'The last 30 days, replayed' })
  await replay.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'The last 30 days, replayed' })
  await sheet.getByText('Result after fees').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => replay.evaluate((one) => one === document.activeElement)).toBe(true)

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const coin = bot?.tradingPairs[0]?.split('/')[0]
  await page.getByRole('heading', { name: `Your Hold bot on ${coin} with $50.` }).waitFor()
  await page.getByText('Kind: Hold').waitFor()
  await page.getByText('All of the money is in coins').waitFor()
  expect(new URL(page.url()).search).toBe('')

  await page.goBack()
  await trades.scrollIntoViewIfNeeded()
  const shifted = await watchShifts(page)
  await page.clock.install()
  const traded = () => user.call('listBotTrades', { params: { id } })
  for (let day = 0; day < 90 && (await traded()).count === 0; day += 1)
    await product.world.hours(24)
  const shownTrades = async () => {
    // Passes the time between two refetches.
    await page.clock.fastForward(60_000)
    return trades.getByText(/^(Bought|Sold) because/).count()
  }
  await expect.poll(shownTrades, { interval: 500 }).toBe(1)
  expect(await trades.getByRole('link', { name: /^Hold bot/ }).count()).toBe(0)
  expect(await shifted()).toBeLessThanOrEqual(0.05)
  await page.context().close()
})

test("a waiting bot's screen has at most 120 words, with five coins too", async () => {
  const user = await product.world.user()
  await user.deposit('900')
  const id = await createWaitingBot(user)
  const { holdings, ...rest } = await user.call('getBotPerformance', { params: { id } })
  const above = { price: '1000000', percent: 25 }
  const five = FIRST_PAIRS.flatMap((pair) =>
    holdings.map(({ next, ...one }) => ({ ...one, pair, next: { ...next, above } })),
  )
  const page = await product.open(`/bot-config/${id}`, user, {
    before: changeFirstData((data) => ({
      ...data,
      [`getBotPerformance/${id}`]: { ...rest, holdings: five },
    })),
  })
  await expect.poll(() => page.getByText(/^Buys above/).count()).toBe(5)
  await page.getByText('Hold bot: buys at once').waitFor()
  expect((await wordsShown(page)).length).toBeLessThanOrEqual(120)
  await page.context().close()
})

test('the last step can be dismissed: it does not return, and the focus is not lost', async () => {
  const user = await product.world.user()
  await user.deposit('900')
  await createWaitingBot(user)
  const page = await openHome(user)
  await card(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => card(page).count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await page.reload()
  expect(await card(page).count()).toBe(0)
  await page.context().close()
})

test('a user whose bots have traded is no newcomer, even after taking everything out', async () => {
  const user = await product.world.user()
  await user.deposit('100')
  await user.call('createBot', {
    body: {
      name: 'Wide',
      riskLevel: 'aggressive',
      tradingPairs: [...product.world.context.feed.pairs],
      investmentAmount: '100',
    },
  })
  for (let day = 0; day < 60 && (await user.call('getPortfolio')).firstStep !== null; day += 1)
    await product.world.hours(24)
  await user.call('stopAll')
  await product.world.serve()
  expect(await user.call('getPortfolio')).toMatchObject({ bots: [], firstStep: null })
})
