import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { actOnWithdrawal } from '#server/withdrawals/act-on-withdrawal.ts'
import { createRisingWorld, createSeller } from '../world/small-book.ts'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct(createRisingWorld())
  ada = await createSeller(product.world, 'ada')
  await ada.addBankAccount()
  for (let number = 0; number < 15; number += 1) await ada.deposit('10')
})
afterAll(() => product.close())

const panel = (page: Page) => page.getByRole('tabpanel')
const rows = (page: Page) =>
  panel(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })
const sheet = (page: Page) => page.getByRole('dialog')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)

async function open(
  path: string,
  options?: Parameters<Product['open']>[2],
  user = ada,
): Promise<Page> {
  const page = await product.open(path, user, options)
  await panel(page).waitFor()
  return page
}

async function shown(page: Page): Promise<string[]> {
  await rows(page).first().waitFor()
  return rows(page).allInnerTexts()
}

test('the filters in the address survive a reload, another screen and Back', async () => {
  const page = await open('/history?type=trade&q=btc')
  const check = async () => {
    await expect
      .poll(async () => (await shown(page)).every((row) => /^(Bought|Sold) BTC/.test(row)))
      .toBe(true)
    expect(await page.getByRole('tab', { name: 'Trades' }).getAttribute('aria-selected')).toBe(
      'true',
    )
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('btc')
  }
  await check()
  await page.reload()
  await check()
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await page.waitForURL('**/profile')
  await page.goBack()
  await check()
  await page.context().close()
})

test('typed text and chosen filters are written to the address', async () => {
  const page = await open('/history')
  await page.getByRole('searchbox', { name: 'Search' }).fill('sold')
  await page.waitForURL('**/history?q=sold')
  await expect
    .poll(async () => (await shown(page)).every((row) => row.startsWith('Sold')))
    .toBe(true)
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Bot', { exact: true }).selectOption({ label: 'Steady' })
  const id = (await ada.call('listBots'))[0]?.id
  await page.waitForURL(`**/history?q=sold&bot=${id}`)
  await page.getByText('Nothing matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL('**/history')
  expect((await shown(page)).length).toBeGreaterThan(10)
  await expect.poll(() => focused(page)).not.toBe('BODY')
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('')
  const today = new Date().toLocaleDateString('en-CA')
  await page.getByLabel('From', { exact: true }).fill(today)
  await page.waitForURL(`**/history?from=${today}`)
  expect(await page.getByRole('link', { name: 'Statement (CSV)' }).getAttribute('href')).toContain(
    '/api/statement.csv?from=',
  )
  await page.context().close()
})

/** Sums what the browser counts as unexpected layout shifts from now on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    'window.shift = 0; new PerformanceObserver((list) => { for (const entry of ' +
      'list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value }).observe({ ' +
      `type: 'layout-shift' })`,
  )
  return () => page.evaluate(() => (window as unknown as { shift: number }).shift)
}

test.each([0, 500])(
  'rows that arrive at scroll position %d wait behind a button, and nothing moves',
  async (top) => {
    const user = await product.world.user()
    for (let number = 0; number < 20; number += 1) await user.deposit('10')
    const page = await open('/history', {}, user)
    await shown(page)
    await page.evaluate((y) => window.scrollTo(0, y), top)
    const shift = await watchShifts(page)
    const firstTop = async () => (await rows(page).first().boundingBox())?.y
    const before = await firstTop()
    await user.deposit('111')
    await panel(page).getByRole('button', { name: '1 new', exact: true }).waitFor()
    await user.deposit('222')
    await panel(page).getByRole('button', { name: '2 new', exact: true }).waitFor()
    expect(await firstTop()).toBe(before)
    expect(await shift()).toBeLessThanOrEqual(0.01)
    expect(await panel(page).getByRole('status').textContent()).toContain('2 new')
    expect((await shown(page))[0]).toContain('$10.00')
    await panel(page).getByText('The amounts in bold add up to your cash, $200.00.').waitFor()
    await panel(page).getByRole('button', { name: '2 new', exact: true }).press('Enter')
    await expect
      .poll(async () => (await shown(page)).slice(0, 2).map((row) => /\$[\d.]+/.exec(row)?.[0]))
      .toEqual(['$222.00', '$111.00'])
    await panel(page).getByText('The amounts in bold add up to your cash, $533.00.').waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect.poll(() => focused(page)).not.toBe('BODY')
    await page.context().close()
  },
)

test('a row that arrived during another screen is in the reopened history', async () => {
  const user = await product.world.user()
  await user.deposit('10')
  const page = await open('/history', {}, user)
  await shown(page)
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await page.waitForURL('**/profile')
  await user.deposit('33')
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await expect.poll(async () => (await shown(page))[0]).toContain('$33.00')
  expect(await panel(page).getByRole('button', { name: /new$/ }).count()).toBe(0)
  await page.context().close()
})

test('the first row of a history appears at once', async () => {
  const user = await product.world.user()
  const page = await open('/history', {}, user)
  await page.getByText('No transactions yet').waitFor()
  await user.deposit('10')
  expect(await shown(page)).toHaveLength(1)
  await page.context().close()
})

test('a receipt has an address, and Back closes it', async () => {
  const page = await open('/history?type=deposit')
  await rows(page).first().getByRole('button').click()
  await sheet(page)
    .getByText(/^Reference/)
    .waitFor()
  const [first] = (await ada.call('listTransactions', { query: { type: 'deposit' } })).items
  expect(new URL(page.url()).search).toBe(`?type=deposit&receipt=${first?.id}`)
  await page.goBack()
  await expect.poll(() => sheet(page).count()).toBe(0)
  // Two history entries: the sheet's, and that of its address.
  await expect.poll(() => new URL(page.url()).search).toBe('?type=deposit')
  await expect.poll(() => focused(page)).not.toBe('BODY')
  await page.goForward()
  await sheet(page)
    .getByText(/^Reference/)
    .waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => sheet(page).count()).toBe(0)
  await expect.poll(() => new URL(page.url()).search).toBe('?type=deposit')
  await page.context().close()
})

test('a receipt opens from its address; closing it shows the history', async () => {
  const [first] = (await ada.call('listTransactions')).items
  const page = await open(`/history?receipt=${first?.id}`)
  await sheet(page)
    .getByText(/^Reference/)
    .waitFor()
  await sheet(page).getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => sheet(page).count()).toBe(0)
  await expect
    .poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
    .toBe('/history')
  await page.goto('/history?receipt=none')
  await sheet(page).getByText('Unable to load the receipt').waitFor()
  await page.context().close()
})

test('the receipt of a withdrawal changes with its status', async () => {
  const { id } = await ada.call('requestWithdrawal', { body: { amount: '20' } })
  const page = await open(`/history?receipt=${id}`)
  await sheet(page).getByText('pending', { exact: true }).waitFor()
  for (const action of ['approve', 'submit', 'mark-paid'] as const)
    await actOnWithdrawal(product.world.context, { id, action, actor: 'operator:test' })
  await sheet(page).getByText('completed', { exact: true }).waitFor()
  await page.context().close()
})

/** The last amount: screen readers get a change in words before it. */
const dollars = (text: string) =>
  decimalToUnits(
    (/[+−]?\$[\d,.]+$/.exec(text.trim())?.[0] ?? '').replaceAll(/[$,+]/g, '').replace('−', '-'),
  )

test('the receipt of a sale starts with its result, and its figures add up', async () => {
  const { items } = await ada.call('listTransactions', { query: { type: 'trade', q: 'sold' } })
  for (const { id } of items) {
    const { trade } = await ada.call('getTransaction', { params: { id } })
    const page = await open(`/history?receipt=${id}`)
    const read = async (label: string) =>
      dollars(
        await sheet(page)
          .locator('details dl > div')
          .filter({ has: page.getByText(label, { exact: true }) })
          .locator('dd')
          .first()
          .innerText(),
      )
    const check = async () => {
      const [amount = 0n, fee = 0n, total = 0n, cost = 0n, result = 0n] = [
        await read('Price × quantity'),
        await read('Trading fee'),
        await read('Received by the bot'),
        await read('Paid for these coins'),
        await read('Realized result'),
      ]
      expect([amount + fee, total + cost]).toEqual([total, result])
      return result
    }
    await sheet(page).getByText('Paid for these coins').first().waitFor()
    const summary = sheet(page).locator('dl').first().locator('dd')
    const [amount = 0n, fee = 0n, cost = 0n, rounded = 0n] = (await summary.allInnerTexts()).map(
      dollars,
    )
    expect(amount + fee + cost, 'the rounded figures add up').toBe(rounded)
    expect(unitsToDecimal(rounded, 2)).toBe(unitsToDecimal(decimalToUnits(trade?.profit ?? ''), 2))
    const hero = sheet(page).locator('p').filter({ hasText: 'Realized result' })
    expect(dollars((await hero.innerText()).replace('Realized result', '').trim())).toBe(rounded)
    await sheet(page).getByText('Exact figures and ledger lines').click()
    await expect.poll(check).toBe(decimalToUnits(trade?.profit ?? ''))
    await page.context().close()
  }
})

test('amount and currency have a space between them, and days are above their rows', async () => {
  const page = await open('/history?type=trade')
  expect((await shown(page)).every((row) => /[+−]\$[\d,]+\.\d\d USD/.test(row))).toBe(true)
  expect(await rows(page).first().textContent()).toMatch(/\.\d\d USD/)
  expect(await panel(page).getByRole('heading', { level: 2 }).count()).toBeGreaterThan(0)
  await page.context().close()
})

test('on a desktop the rows are a table with the filters in a row above it', async () => {
  const page = await open('/history?type=trade', {
    viewport: { width: 1280, height: 800 },
    isMobile: false,
  })
  await shown(page)
  const heads = panel(page).getByText('Amount', { exact: true })
  await heads.waitFor()
  const edge = async (target: ReturnType<Page['locator']>) => (await target.boundingBox())?.x ?? 0
  const amounts = rows(page).locator('[data-amount]')
  const boxes = await amounts.evaluateAll((all) =>
    all.map((one) => Math.round(one.getBoundingClientRect().right)),
  )
  expect(new Set(boxes).size, 'amounts end at one line').toBe(1)
  const fields = ['Bot', 'From', 'To'].map((name) => page.getByLabel(name, { exact: true }))
  const tops = await Promise.all(
    [page.getByRole('searchbox'), ...fields].map(async (field) =>
      Math.round(
        ((await field.boundingBox())?.y ?? 0) + ((await field.boundingBox())?.height ?? 0),
      ),
    ),
  )
  expect(new Set(tops).size, 'filters stand in one row').toBe(1)
  expect(await edge(fields[0] ?? page.locator('body'))).toBeGreaterThan(
    await edge(page.getByRole('searchbox')),
  )
  await page.context().close()
  const phone = await open('/history?type=trade')
  await shown(phone)
  expect(await panel(phone).getByText('Amount', { exact: true }).isVisible()).toBe(false)
  await phone.context().close()
})

test('if the address names a year without a statement, another can be chosen', async () => {
  const page = await product.open('/statement?year=1000x', ada)
  const years = page.getByRole('combobox', { name: 'Year' })
  await years.selectOption({ index: 1 })
  await page.getByText('How your money changed').waitFor()
  expect(new URL(page.url()).searchParams.get('year')).toBe(await years.inputValue())
})

test('a row of a trade names its type in one word', async () => {
  const page = await open('/history?type=trade')
  await shown(page)
  for (const row of await rows(page).allTextContents()) expect(row).toMatch(/trade ·/)
  await page.context().close()
})
