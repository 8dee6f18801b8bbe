import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screensFor } from '#contract/screens.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { suggestedAmount } from '#app/bots/clone-bot.ts'
import { portfolioOf } from '../world/balance-curve.ts'
import { openProduct, waitUntilInteractive, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
let amounts: Set<string>
const bot = { id: '', name: 'Steady' }
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('4321.09')
  const bankAccountId = await ada.addBankAccount()
  for (const [name, riskLevel, investmentAmount] of [
    [bot.name, 'aggressive', '1234.56'],
    ['Calm', 'conservative', '222.22'],
  ]) {
    bot.id = (
      await ada.call('createBot', {
        body: {
          name,
          riskLevel,
          tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT'],
          investmentAmount,
        },
      })
    ).id
  }
  await product.world.hours(24 * 14)
  await ada.call('requestWithdrawal', { body: { amount: '77.77', bankAccountId } })
  amounts = await ownAmounts()
})
afterAll(() => product.close())

/**
 * Every amount of money and coins in the user's answers, as screens print it. Prices and fees of
 * single trades of a cent are left out.
 */
async function ownAmounts(): Promise<Set<string>> {
  const { totalBalance, availableBalance, heldBalance, investedBalance, bots, curve, dailyChange } =
    await portfolioOf(ada, '1M')
  const performances = await Promise.all(
    bots.map(({ id }) => ada.call('getBotPerformance', { params: { id } })),
  )
  const { items } = await ada.call('listTransactions')
  const dollars = [
    totalBalance,
    availableBalance,
    heldBalance,
    investedBalance,
    dailyChange.amount,
    suggestedAmount(availableBalance),
    curve[0]?.value,
    curve.at(-1)?.value,
    ...bots.flatMap((one) => [one.equity, one.investmentAmount, one.totalProfit, one.closingFee]),
    ...performances.flatMap(({ holdings, venueFees }) => [
      venueFees,
      ...holdings.flatMap(({ cash, value }) => [cash, value]),
    ]),
    ...items.map(({ amount }) => amount),
  ].flatMap((amount) =>
    amount === undefined ? [] : [englishMoneyText({ amount }).replace('−', '')],
  )
  const coins = performances.flatMap(({ holdings }) =>
    holdings.map(({ quantity }) => englishMoneyText({ amount: quantity, asset: '' }).trim()),
  )
  return new Set(
    [...dollars, ...coins].filter(
      (amount) => /[1-9]/.test(amount) && amount.replaceAll(/\D/g, '').length > 2,
    ),
  )
}

/** The user's amounts that the page shows or reads out, in texts, accessible names and fields. */
async function shownAmounts(page: Page): Promise<string[]> {
  await page.waitForFunction(
    () => document.querySelector('.motion-safe\\:animate-breathe, [aria-busy="true"]') === null,
  )
  const texts = await page.evaluate(() => {
    const named = [...document.querySelectorAll('body *')].flatMap((element) =>
      ['aria-label', 'aria-valuetext', 'aria-description', 'title', 'alt', 'placeholder'].map(
        (name) => element.getAttribute(name) ?? '',
      ),
    )
    const typed = [...document.querySelectorAll('input')].map(({ value }) => value)
    const root = document.querySelector('#root')?.parentElement ?? document.body
    return [
      document.title,
      ...named,
      ...typed,
      ...[...root.querySelectorAll(':not(script)')].flatMap(({ childNodes }) =>
        [...childNodes]
          .filter(({ nodeType }) => nodeType === 3)
          .map(({ textContent }) => textContent ?? ''),
      ),
    ]
  })
  return [...amounts].filter((amount) =>
    texts.some((text) =>
      new RegExp(`(?<![\\d,.])${amount.replaceAll(/[.$]/g, String.raw`\$&`)}(?![\\d]|\\.\\d)`).test(
        text,
      ),
    ),
  )
}

async function openHidden(path: string, isHidden: boolean): Promise<Page> {
  const cookie = { name: 'hide-balance', value: 'yes', url: product.url }
  const page = await product.open(path, ada, {
    before: async (opened) => isHidden && opened.context().addCookies([cookie]),
  })
  await waitUntilInteractive(page)
  return page
}

test('control: with amounts shown, the search finds those of each screen', async () => {
  for (const path of [
    '/',
    '/history',
    '/withdraw',
    '/bot-config',
    '/profile',
    `/bot-config/${bot.id}`,
  ]) {
    const page = await openHidden(path, false)
    expect(await shownAmounts(page), `on ${path}`).not.toEqual([])
    await page.context().close()
  }
})

test.each(screensFor(true).filter(({ path }) => !path.startsWith('/market')))(
  'with amounts hidden, $path shows none of them',
  async ({ path }) => {
    const page = await openHidden(path.replace(':id', bot.id), true)
    expect(await shownAmounts(page)).toEqual([])
    await page.context().close()
  },
)

test.each([
  ['/', 'Balance breakdown'],
  [`/bot-config/`, 'Delete'],
  [`/bot-config/`, 'Add money'],
  [`/bot-config/`, 'Take money out'],
])('with amounts hidden, the sheet on %s under %s shows none of them', async (path, name) => {
  const page = await openHidden(path === '/' ? path : path + bot.id, true)
  if (path !== '/') await page.getByRole('button', { name: /^Actions for/ }).click()
  await page
    .getByRole(path === '/' ? 'button' : 'menuitem', { name })
    .filter({ visible: true })
    .last()
    .click()
  await page
    .locator('dialog, [role=dialog]')
    .filter({ visible: true, hasText: /\$••••••/ })
    .waitFor()
  expect(await shownAmounts(page)).toEqual([])
  await page.context().close()
})

test('with amounts hidden, receipts show none, and the market keeps its prices', async () => {
  const page = await openHidden('/history', true)
  for (const [type, name] of [
    ['Deposits', 'Card deposit'],
    ['Trades', bot.name],
  ] as const) {
    await page.getByRole('tab', { name: type }).click()
    await page.getByRole('listitem').filter({ hasText: name }).first().click()
    await page.getByRole('dialog').getByRole('definition').first().waitFor()
    expect(await shownAmounts(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }
  await page.goto('/')
  await page.getByRole('button', { name: 'All coins' }).click()
  expect(
    await page
      .getByRole('region', { name: 'Market Overview' })
      .getByRole('listitem')
      .filter({ hasText: /\$[\d,]+\.\d\d/ })
      .count(),
  ).toBe(12)
  await page.context().close()
})

test('figures keep their order in a right-to-left page and stay untranslated', async () => {
  const page = await openHidden('/', false)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const figures = await page.evaluate(() =>
    [...document.querySelectorAll('main bdi')].map((figure) => ({
      direction: getComputedStyle(figure).direction,
      isIsolated: getComputedStyle(figure).unicodeBidi.includes('isolate'),
      translate: (figure as HTMLElement).translate,
    })),
  )
  expect(figures.length).toBeGreaterThan(20)
  expect(
    figures.filter(
      ({ direction, isIsolated, translate }) => direction !== 'ltr' || !isIsolated || translate,
    ),
  ).toEqual([])
  const loose = await page.evaluate(() => {
    const texts = document.createTreeWalker(
      document.querySelector('main') ?? document.body,
      NodeFilter.SHOW_TEXT,
    )
    const found: string[] = []
    while (texts.nextNode())
      if (
        /[$%]\s?\d|\d%/.test(texts.currentNode.textContent ?? '') &&
        !texts.currentNode.parentElement?.closest('bdi, #balance-chart')
      )
        found.push(texts.currentNode.textContent ?? '')
    return found
  })
  expect(loose).toEqual([])
  await page.context().close()
})
