import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'

let product: Product
let ada: TestUser
let botId: string
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('1000')
  await ada.addBankAccount()
  const body = {
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '100',
  } as const
  botId = (
    await ada.call('createBot', {
      body: { ...body, name: 'Steady', tradingPairs: [...body.tradingPairs] },
    })
  ).id
  const { id } = await ada.call('createBot', {
    body: { ...body, name: 'Idle', tradingPairs: [...body.tradingPairs] },
  })
  await ada.call('updateBot', { params: { id }, body: { isActive: false } })
  await product.world.hours(48)
})
afterAll(() => product.close())

async function open(path: string): Promise<Page> {
  const page = await product.open(path.replace(':id', botId), ada, { forcedColors: 'active' })
  return page
}

/**
 * Visible fills and borders of an element and of everything in it except pictures, which differ
 * from element to element.
 */
const look = (place: Locator) =>
  place.first().evaluate((element) => {
    const paper = getComputedStyle(document.documentElement).backgroundColor
    const looks = [element, ...element.querySelectorAll(':not(svg, svg *)')].map((each) => {
      const { backgroundColor, borderTopColor, borderTopStyle, borderTopWidth } =
        getComputedStyle(each)
      const fill = /^rgba\(.*, 0\)$/.test(backgroundColor) ? paper : backgroundColor
      return borderTopStyle === 'none' || borderTopWidth === '0px'
        ? fill
        : `${fill}, ${borderTopWidth} ${borderTopColor}`
    })
    return [...new Set(looks)].join('\n')
  })

const PLACES = [
  {
    what: 'the current tab',
    path: '/history',
    one: 'nav a[aria-current=page]',
    other: 'nav a:not([aria-current])',
  },
  {
    what: 'the chosen filter',
    path: '/history',
    one: '[role=tab][aria-selected=true]',
    other: '[role=tab][aria-selected=false]',
  },
  {
    what: 'the chosen range of Home',
    path: '/',
    one: '[role=tab][aria-selected=true]',
    other: '[role=tab][aria-selected=false]:not([aria-disabled])',
  },
  {
    what: 'the chosen range of a coin',
    path: '/market/BTC-USD',
    one: '[role=tab][aria-selected=true]',
    other: '[role=tab][aria-selected=false]',
  },
  {
    what: 'the chosen theme',
    path: '/profile',
    one: 'button[aria-pressed=true]',
    other: 'button[aria-pressed=false]',
  },
  {
    what: 'the chosen risk',
    path: '/bot-config/new',
    one: 'label:has([name=riskLevel]:checked)',
    other: 'label:has([name=riskLevel]:not(:checked))',
  },
  {
    what: 'a chosen coin',
    path: '/bot-config/new',
    door: 'Choose',
    one: 'label:has([type=checkbox]:checked)',
    other: 'label:has([type=checkbox]:not(:checked))',
  },
  {
    what: 'a running bot',
    path: '/bot-config',
    one: 'a:has-text("Steady, active") .rounded-full',
    other: 'a:has-text("Idle, paused") .rounded-full',
  },
]

describe('with colors that the device forces', () => {
  test.each(PLACES)('$what looks different', async ({ path, door, one, other }) => {
    const page = await open(path)
    if (door !== undefined) await page.getByText(door, { exact: true }).click()
    await page.locator(one).first().waitFor()
    expect(await look(page.locator(one))).not.toBe(await look(page.locator(other)))
    await page.context().close()
  })

  test('a chosen amount looks different', async () => {
    const page = await open('/deposit')
    // The amount is typed, because a pressed button has the focus, which changes its border.
    await page.getByLabel('Custom amount').fill('500')
    await page.locator('button[aria-pressed=true]').waitFor()
    expect(await look(page.locator('button[aria-pressed=true]'))).not.toBe(
      await look(page.locator('button[aria-pressed=false]')),
    )
    await page.context().close()
  })

  test.each([
    { what: 'a status, beside its word,', path: '/history', dot: '[data-dot]', word: 'completed' },
    {
      what: 'a running bot',
      path: '/bot-config',
      dot: 'a:has-text("Steady, active") .rounded-full',
      word: 'Steady',
    },
  ])('the dot of $what is visible', async ({ path, dot, word }) => {
    const page = await open(path)
    const found = page.locator(dot).first()
    await found.waitFor()
    const paper = await page.evaluate(
      () => getComputedStyle(document.documentElement).backgroundColor,
    )
    expect(await look(found)).not.toBe(paper)
    expect((await found.locator('..').innerText()).trim()).toBe(word)
    await page.context().close()
  })

  test.each([
    { path: '/', name: 'Deposit' },
    { path: '/deposit', name: 'Continue' },
    { path: '/withdraw', name: 'Request Withdrawal' },
    { path: '/bot-config/new', name: 'Create Trading Bot' },
    { path: '/help', name: 'Send' },
    { path: '/market/BTC-USD', name: 'New bot with BTC' },
  ])('$name on $path has a visible edge', async ({ path, name }) => {
    const page = await open(path)
    const found = page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('link', { name, exact: true }))
      .first()
    const edge = await found.evaluate((element) => {
      const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } =
        getComputedStyle(element)
      return {
        style: borderTopStyle,
        isWide: Number.parseFloat(borderTopWidth) >= 1,
        isSeen: borderTopColor !== backgroundColor && borderTopColor !== 'rgba(0, 0, 0, 0)',
      }
    })
    expect(edge).toEqual({ style: 'solid', isWide: true, isSeen: true })
    await page.context().close()
  })
})
