import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProduct, type OpenOptions, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { enlargeText, findCutInFields, findUnreadable, NARROW_WINDOW } from './large-text.ts'

let product: Product
let ada: TestUser
beforeAll(async () => {
  product = await openProduct()
  ada = await product.world.user('ada')
  await ada.deposit('10000')
  const bots = {
    'A bot with a rather long name': ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'LINK/USDT'],
    Steady: ['BTC/USDT'],
  }
  for (const [name, tradingPairs] of Object.entries(bots)) {
    await ada.call('createBot', {
      body: { name, riskLevel: 'conservative', tradingPairs, investmentAmount: '1234' },
    })
  }
  await product.world.hours(24)
})
afterAll(() => product.close())

/** Opens a page whose text is twice as large. */
async function openLarge(path: string, user: TestUser, options: OpenOptions = {}): Promise<Page> {
  const page = await product.open(path, user, { ...NARROW_WINDOW, ...options })
  await enlargeText(page)
  return page
}

describe('the search for unreadable text', () => {
  test.each([
    [
      '<main><p style="width: 500px">Wide</p></main>',
      "the page scrolls sideways: 508 px in 390 px; 'Wide' stick out",
    ],
    ['<p style="margin: 0">One</p><p style="margin: -1em 0 0">Two</p>', "'One' lies over 'Two'"],
    ['<p style="width: 2em; overflow-wrap: anywhere">Balance</p>', "'Balance' is broken inside"],
    [
      '<p style="width: 2em; overflow: hidden; text-overflow: ellipsis; white-space: ' +
        'nowrap">Balance</p>',
      "'Balance' is cut off",
    ],
    [
      '<p style="margin: 800px 0 0">Last</p><nav style="position: fixed; bottom: 0; height: ' +
        '60px">Tabs</nav>',
      "'Last' stays covered",
    ],
    [
      '<nav style="position: sticky; bottom: 0; height: 600px">Tabs</nav>',
      'the bars leave 8 of 844 px',
    ],
  ])('%s: %s', async (body, finding) => {
    const page = await product.open('about:blank', ada, NARROW_WINDOW)
    await page.setContent(body)
    expect(await findUnreadable(page)).toEqual([finding])
    await page.context().close()
  })

  test('finds nothing on a page that wraps, even with a bar over its text', async () => {
    const page = await product.open('about:blank', ada, NARROW_WINDOW)
    await page.setContent(
      '<nav style="position: fixed; top: 0">Tabs</nav><p style="margin: 0; width: 5em">Pairs ' +
        'BTC/USDT, ETH/USDT and $1,234.50</p>',
    )
    expect(await findUnreadable(page)).toEqual([])
    await page.context().close()
  })
})

describe('at 200 % text, everything can be read', () => {
  test('Home can be read', async () => {
    const page = await openLarge('/', ada)
    expect(await findUnreadable(page)).toEqual([])
    await page.context().close()
  })

  test('the bell is visible, and no two names of tabs touch', async () => {
    const page = await openLarge('/', ada)
    const bell = await page.getByRole('link', { name: /otification/ }).boundingBox()
    expect([bell?.width, (bell?.x ?? 390) + 48 <= 390]).toEqual([48, true])
    const gaps = await page.locator('#main-nav a').evaluateAll((tabs) => {
      const boxes = tabs.map((tab) => {
        const text = document.createRange()
        text.selectNodeContents(tab.lastElementChild ?? tab)
        return text.getBoundingClientRect()
      })
      return boxes.slice(1).map(({ left }, place) => left - (boxes[place]?.right ?? 0))
    })
    expect(gaps.filter((gap) => gap < 2)).toEqual([])
    await page.context().close()
  })

  test('Home of a newcomer can be read', async () => {
    const page = await openLarge('/', await product.world.user())
    expect(await findUnreadable(page)).toEqual([])
    await page.context().close()
  })

  test.each(['en-US', 'de-DE'])(
    'on the help page, also the placeholder of its empty field: %s',
    async (locale) => {
      const page = await openLarge('/help', ada, { locale })
      const field = page.locator('textarea')
      expect([...(await findCutInFields(page)), ...(await findUnreadable(page))]).toEqual([])
      await field.fill('What does it cost?')
      await field.press('Enter')
      await expect.poll(() => field.inputValue()).toBe('')
      expect(await findCutInFields(page)).toEqual([])
      await page.context().close()
    },
  )

  test('the empty field of the help page has one line of text at the usual size', async () => {
    const page = await product.open('/help', ada, NARROW_WINDOW)
    expect((await page.locator('textarea').boundingBox())?.height).toBe(52)
    expect(await findCutInFields(page)).toEqual([])
    await page.context().close()
  })

  test('the search of the history and a long name that is chosen can be read', async () => {
    const bots = await ada.call('listBots')
    const [steady, long] = ['Steady', 'A bot with a rather long name'].map(
      (name) => bots.find((bot) => bot.name === name)?.id,
    )
    for (const [path, shows] of [
      ['/history', 'Card deposit'],
      [`/compare/${steady}?with=${long}`, 'Largest drop'],
    ] as const) {
      const page = await openLarge(path, ada)
      await page.getByText(shows).first().waitFor()
      expect({
        path,
        found: [...(await findCutInFields(page)), ...(await findUnreadable(page))],
      }).toEqual({ path, found: [] })
      await page.context().close()
    }
  })
})
