import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { createRisingWorld } from '../world/small-book.ts'
import type { TestUser } from '../world/world.ts'
import { PHONE } from './chromium.ts'
import { tabTo } from './keyboard.ts'

let product: Product
/** Has only a paused bot, so that every change of the balance is a deposit or a withdrawal. */
let saver: TestUser
let investor: TestUser
let botId = ''
beforeAll(async () => {
  product = await openProduct(
    createRisingWorld({}, { CASH_YIELD_BPS: 437, CASH_YIELD_SOURCE: 'Treasury bills of a test' }),
  )
  const { world } = product
  ;[saver, investor] = [await world.user(), await world.user()]
  for (const user of [saver, investor]) await user.deposit('1000')
  const body = {
    name: 'Steady',
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT', 'XRP/USDT'],
    investmentAmount: '600',
  }
  botId = (await investor.call('createBot', { body })).id
  const resting = await saver.call('createBot', { body: { ...body, investmentAmount: '10' } })
  await saver.call('updateBot', { params: { id: resting.id }, body: { isActive: false } })
  await world.hours(24)
  await saver.call('requestWithdrawal', {
    body: { amount: '187.50', bankAccountId: await saver.addBankAccount() },
  })
  await world.payOut()
  await world.hours(12)
  await saver.deposit('400')
  await world.hours(12)
})
afterAll(() => product.close())

const slider = (page: Page) => page.getByRole('slider')
const spoken = (page: Page) => slider(page).getAttribute('aria-valuetext')
const marks = (page: Page, name: string) => page.getByRole('list', { name })
const hero = (page: Page) => page.locator('.font-semibold > .sr-only').first().textContent()

async function openChart(
  path: string,
  user: TestUser,
  width: number = PHONE.viewport.width,
): Promise<Page> {
  const page = await product.open(path, user, { viewport: { width, height: 844 } })
  await slider(page).waitFor()
  return page
}

test('a withdrawal is not drawn as a loss: the line breaks where money moves', async () => {
  const page = await openChart('/', saver)
  expect(await slider(page).getAttribute('aria-label')).toMatch(
    /lowest \$812\.50, highest \$1,212\.50\. Net deposits: \$1,212\.50\. Gain: \$0\.00\.$/,
  )
  const paths = await page
    .locator('#balance-chart svg path')
    .evaluateAll((found) => found.map((path) => path.getAttribute('d') ?? ''))
  const [line = '', steps = ''] = [paths.at(-1), paths.at(-2)]
  expect([line.split('M').length - 1, steps.split('M').length - 1]).toEqual([3, 2])
  const heights = [...line.matchAll(/(M|L)[\d.]+ ([\d.]+)/g)].map(([, kind, y]) => `${kind}${y}`)
  expect(
    new Set(heights.filter((height) => height.startsWith('L'))).size,
    'no line of the curve goes up or down',
  ).toBe(3)
  await slider(page).focus()
  await page.keyboard.press('Home')
  for (let point = 0; point < 12; point += 1) {
    await expect
      .poll(async () => [
        ...new Set(
          await page
            .locator('#balance-chart')
            .getByText(/^[+−]\$/)
            .allTextContents(),
        ),
      ])
      .toEqual(['+$0.00'])
    await page.keyboard.press('PageUp')
  }
  await page.context().close()
})

test('deposits and withdrawals are marked on the balance and lead to receipts', async () => {
  const page = await openChart('/', saver)
  const { items } = await saver.call('listTransactions')
  const links = marks(page, 'Deposits and withdrawals').getByRole('link')
  const expected = items
    .filter(({ type }) => type !== 'transfer')
    .toReversed()
    .map(({ id }) => `/history?receipt=${id}`)
  expect(
    await links.evaluateAll((found) => found.map((link) => link.getAttribute('href'))),
  ).toEqual(expected)
  const names = await links.evaluateAll((found) =>
    found.map((link) => link.getAttribute('aria-label')),
  )
  expect(names[0]).toMatch(/^Card deposit: \+\$1,000\.00, [A-Z][a-z]{2} \d+, \d{4}$/)
  expect(names[1]).toMatch(/: −\$187\.50, /)
  await tabTo(page, /: −\$187\.50, /)
  await page
    .locator('#balance-chart')
    .getByText(names[1] ?? '', { exact: true })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${expected[1]}`)
  await page.context().close()
})

test("a bot's curve marks trades; each mark describes its trade, by keyboard too", async () => {
  const page = await openChart(`/bot-config/${botId}`, investor)
  const { tradeCount } = await investor.call('getBotPerformance', { params: { id: botId } })
  expect(tradeCount).toBeGreaterThan(1)
  const list = marks(page, 'Trades on the chart')
  const names = await list
    .getByRole('button')
    .evaluateAll((found) => found.map((mark) => mark.getAttribute('aria-label') ?? ''))
  const counted = names.flatMap((name) =>
    [...name.matchAll(/(\d+) times|once|twice/g)].map(([words, count]) =>
      Number(count ?? (words === 'twice' ? 2 : 1)),
    ),
  )
  const single = names.filter((name) => /^(Bought|Sold) [A-Z]+\/USDT for \$/.test(name)).length
  expect(counted.reduce((sum, count) => sum + count, single)).toBe(tradeCount)
  await tabTo(page, names[0] ?? '')
  await page
    .locator('main')
    .getByText(names[0] ?? '', { exact: true })
    .waitFor()
  await page.context().close()
})

test.each([320, 360, 390, 430])(
  'a point selected at %i px shows its value as the large figure, and nothing moves',
  async (width) => {
    for (const [path, user] of [
      ['/', saver],
      [`/bot-config/${botId}`, investor],
    ] as const) {
      const page = await openChart(path, user, width)
      const [before, latest] = [await slider(page).boundingBox(), await hero(page)]
      const box = before ?? { x: 0, y: 0, width: 0, height: 0 }
      for (const share of [0.05, 0.4, 0.6]) {
        const last = await spoken(page)
        await page.mouse.move(box.x + box.width * share, box.y + box.height / 3)
        await expect.poll(() => spoken(page)).not.toBe(last)
        expect((await spoken(page))?.split(': ').at(-1)).toBe(await hero(page))
        expect(await slider(page).boundingBox()).toEqual(before)
      }
      expect(await hero(page)).not.toBe(latest)
      await page.mouse.move(0, 0)
      await expect.poll(() => hero(page)).toBe(latest)
      await page.context().close()
    }
  },
)

test('if deposits dwarf the gains, a button shows the gains on their own scale', async () => {
  const page = await openChart('/', saver)
  const button = page.getByRole('button', { name: 'Gain only' })
  await button.click()
  expect(await button.getAttribute('aria-pressed')).toBe('true')
  const chart = page.locator('#balance-chart')
  for (const words of ['+$20', '$0', '−$20'])
    await chart.getByText(words, { exact: true }).filter({ visible: true }).waitFor()
  expect(await chart.getByText('$1,000 start').count()).toBe(0)
  const line = (await chart.locator('svg path').last().getAttribute('d')) ?? ''
  expect(
    [...new Set([...line.matchAll(/(?:M|L)[\d.]+ ([\d.]+)/g)].map(([, y]) => y))],
    'without a bot there is no gain',
  ).toHaveLength(1)
  await slider(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => hero(page)).toBe('$1,000.00')
  await page.context().close()
})

test('screen readers get a date and an amount, even before a point is chosen', async () => {
  const page = await openChart('/', saver)
  expect(await spoken(page)).toBe('Mar 3, 2024, 00:00: $1,212.50')
  await slider(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => spoken(page)).toBe('Mar 1, 2024, 00:00: $1,000.00')
  await page.context().close()
})

test('the chart has a scale, times and a named start', async () => {
  const page = await openChart('/', saver)
  const chart = page.locator('#balance-chart')
  await chart.getByText('$1,000 start', { exact: true }).waitFor()
  for (const words of ['$1,000', '$1,200'])
    await chart.getByText(words, { exact: true }).filter({ visible: true }).waitFor()
  const times = await chart.locator('p[aria-hidden]').first().textContent()
  expect(times).toBe('Mar 1, 00:00Mar 2, 00:00Mar 3, 00:00')
  await page.context().close()
})

test('ranges longer than the age of the account are not shown', async () => {
  const page = await openChart('/', saver)
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await tab('All').focus()
  expect(await page.getByRole('tab').allTextContents()).toEqual(['1D', 'All'])
  expect(await tab('All').getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => tab('1D').getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => slider(page).getAttribute('aria-label')).toContain(' Start + deposits: ')
  await page.context().close()
})

test('while the balance is hidden, a chart neither shows nor announces amounts', async () => {
  const page = await openChart('/', investor)
  await page.getByRole('button', { name: 'Hide balance' }).click()
  await page.goto(`/bot-config/${botId}`)
  expect(await slider(page).getAttribute('aria-label')).toBe(
    'Worth of the bot: amounts are hidden.',
  )
  expect(await spoken(page)).toMatch(/^Mar 3, 2024, 00:00$/)
  const names = await marks(page, 'Trades on the chart')
    .getByRole('button')
    .evaluateAll((found) => found.map((mark) => mark.getAttribute('aria-label')).join(' '))
  expect(names).not.toContain('$')
  expect(await page.getByText(/(?<!the) start$/).count()).toBe(0)
  await page.context().close()
})

test('a chart of a bot beside cash labels that line; the breakdown has the interest', async () => {
  const page = await openChart(`/bot-config/${botId}`, investor)
  await page.getByText('If kept as cash').waitFor()
  const { interest, cashCurve, investedCurve } = await investor.call('getBotPerformance', {
    params: { id: botId },
  })
  expect(Number(cashCurve.at(-1)?.value)).toBeGreaterThan(Number(investedCurve.at(-1)?.value))
  const breakdown = page.getByRole('region', { name: 'Breakdown' })
  await breakdown.getByText('Breakdown', { exact: true }).click()
  await breakdown.getByText('Interest on cash (included above)').waitFor()
  expect(await breakdown.textContent()).toContain(`$${interest}`)
  expect(await breakdown.textContent()).toMatch(
    /earns 4\.37% a year.*Source: Treasury bills of a test\. Here the interest is paper money/,
  )
  await page.context().close()
})

test("a bot's legend is seen, not read aloud, and its state is read once", async () => {
  const page = await openChart(`/bot-config/${botId}`, investor)
  await page.locator('main').getByText('This bot', { exact: true }).waitFor()
  const heard = await page.locator('main').ariaSnapshot()
  expect(heard).not.toContain('This bot')
  expect(heard.match(/\bactive\b/gi)).toHaveLength(1)
  await page.context().close()
})
