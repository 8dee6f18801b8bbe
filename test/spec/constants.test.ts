import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { answering, FAULT } from './answers.ts'
import { becomes, equals, fill, goTo, press, steps, type Check } from './checks.ts'
import { pass, stopClock } from './clock.ts'
import { openProduct, type Product } from './product.ts'
import { screen } from './rows.ts'
import { toasts } from './toasts.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const region = (page: Page) => page.getByRole('region', { name: /^Notifications/ })
const shown =
  (count: number): Check =>
  (page) =>
    becomes(() => toasts(page).count(), count)

/** Causes a toast with a failing login. */
const makeToast = answering(
  'POST /api/auth/login',
  FAULT,
  fill({ Username: 'nobody', Password: 'a long password' }),
  press('Sign In'),
  shown(1),
)
const afresh = steps(goTo('/login'), makeToast)

/** Drags the toast to the right and releases it. */
const swipe =
  (pixels: number): Check =>
  async (page) => {
    const box = await toasts(page).boundingBox()
    const [x, y] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 20]
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (const share of [0.4, 0.8, 1]) await page.mouse.move(x + pixels * share, y)
    await page.mouse.up()
  }

screen(() => product.open('/login'), {
  '9 Notifications': {
    'at most 1 toast at a time': steps(makeToast, makeToast, shown(1)),
    'focus hotkey F8': steps(afresh, async (page) => {
      await page.keyboard.press('F8')
      await becomes(
        () => region(page).evaluate((element) => element.contains(document.activeElement)),
        true,
      )
    }),
    'a swipe right of less than 50 px leaves it': steps(afresh, swipe(40), shown(1)),
    'a swipe right of more than 50 px dismisses it': steps(swipe(60), shown(0)),
    'a swipe to the left leaves it': steps(afresh, swipe(-80), shown(1)),
  },
})

screen(() => product.open('/login'), {
  '9 Notifications, time': {
    'it stands for 4999 ms, also where one before it was dismissed': steps(
      afresh,
      press('Dismiss'),
      shown(0),
      stopClock,
      makeToast,
      pass(4_999),
      shown(1),
    ),
    'it closes by itself after 5000 ms': steps(pass(1), shown(0)),
    'dismissed, it stays in memory for 999,999 ms': steps(pass(999_999), (page) =>
      becomes(() => region(page).count(), 1),
    ),
    'dismissed, it is removed after 1,000,000 ms': steps(pass(1), (page) =>
      becomes(() => region(page).count(), 0),
    ),
  },
})

const widthAt =
  (width: number): Check =>
  async (page) => {
    await page.setViewportSize({ width, height: 800 })
    await afresh(page)
    const box = await region(page).getByRole('list').boundingBox()
    equals((box?.width ?? 0) <= Math.min(width, 420), true)
  }

screen(() => product.open('/login'), {
  '9 Notifications, width': {
    'at most 420 px on a medium screen': widthAt(768),
    'at most 420 px on a large screen': widthAt(1_440),
    "no wider than a phone's screen": widthAt(390),
  },
})

async function openWithBot(): Promise<Page> {
  const user = await product.world.user()
  await user.deposit('100')
  for (const name of ['Steady', 'Second', 'Third'])
    await user.call('createBot', {
      body: { name, riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount: '10' },
    })
  const page = await product.open('/bot-config', user)
  await page.getByRole('button', { name: 'Actions for Steady' }).waitFor()
  await stopClock(page)
  return page
}

/** Moves over many points, like a hand with a mouse, not in one jump. */
const hover =
  (name: string): Check =>
  async (page) => {
    const { x, y, width, height } = (await page.getByRole('button', { name }).boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 8 })
    await page.mouse.move(x + width / 2 + 4, y + height / 2 + 4, { steps: 4 })
  }
const away: Check = (page) => page.mouse.move(5, 300, { steps: 8 })
const tooltip =
  (words: string): Check =>
  (page) =>
    becomes(() => page.getByRole('tooltip').allTextContents(), words === '' ? [] : [words])

screen(openWithBot, {
  '9 Tooltips': {
    'after 699 ms there is none': steps(hover('Actions for Steady'), pass(699), tooltip('')),
    'after 700 ms it opens': steps(pass(1), tooltip('Actions for Steady')),
    'within 300 ms the next one opens at once': steps(
      away,
      pass(250),
      hover('Actions for Second'),
      tooltip('Actions for Second'),
    ),
    'after 300 ms the next one takes 700 ms again': steps(
      away,
      pass(301),
      hover('Actions for Third'),
      tooltip(''),
      pass(699),
      tooltip(''),
      pass(1),
      tooltip('Actions for Third'),
    ),
  },
})
