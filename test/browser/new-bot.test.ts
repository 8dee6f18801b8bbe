import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BotEvidence, EvidenceSummary } from '#contract/evidence.ts'
import { routes } from '#contract/routes.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { FIRST_PAIRS } from '#core/bots/first-bot.ts'
import { changeFirstData } from '../spec/first-data.ts'
import { openProduct, type OpenOptions, type Product } from '../spec/product.ts'
import type { TestUser } from '../world/world.ts'
import { expectFocus } from './expect-focus.ts'
import { tabAndPress, tabTo } from './keyboard.ts'

const DESK = { viewport: { width: 1_280, height: 800 }, isMobile: false, hasTouch: false }

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

async function userWith(amount: string): Promise<TestUser> {
  const user = await product.world.user()
  await user.deposit(amount)
  return user
}

const SUMMARY: EvidenceSummary = {
  state: 'figures',
  hypothetical: true,
  prices: 'Recorded Binance prices',
  levels: RISK_LEVELS.map((riskLevel) => ({
    riskLevel,
    median: '13.59',
    worst: '-14.89',
    losingPercent: '30.29',
  })),
  firstBot: null,
}
const outcome = (percent: string) => ({ percent, from: '2021-01-01', to: '2022-01-01' })
const OF_BOT = {
  state: 'figures',
  hypothetical: true,
  prices: 'Recorded Binance prices',
  windows: 1_380,
  from: '2021-01-01',
  to: '2024-10-01',
  pairs: [...FIRST_PAIRS],
  missing: [],
  median: outcome('13.59'),
  worst: outcome('-14.89'),
  best: outcome('72.67'),
  losingPercent: '30.29',
  deepestFall: '20.00',
  beatsCash: null,
  monthly: {
    median: outcome('7.00'),
    worst: outcome('-9.00'),
    losingPercent: '30.29',
    onceHigher: 1,
    onceHigherPercent: '60.00',
  },
} satisfies BotEvidence

const STEADY = {
  name: 'Steady',
  riskLevel: 'aggressive',
  tradingPairs: ['SOL/USDT', 'ADA/USDT'],
  investmentAmount: '100',
} as const

async function userWithBot(): Promise<TestUser> {
  const user = await userWith('1000')
  await user.call('createBot', { body: { ...STEADY, tradingPairs: [...STEADY.tradingPairs] } })
  return user
}

async function open(path: string, user: TestUser, options: OpenOptions = {}): Promise<Page> {
  const page = await product.open(path, user, options)
  return page
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const FORM = /^Your .* bot/
/** The heading of the form, with the bot as it is entered. */
const sentence = (page: Page, words: string) =>
  page.getByRole('heading', { name: words, exact: true }).waitFor()
const openMore = (page: Page) => page.getByText('Guards, plan, fee').click()
const formMarks = (page: Page) =>
  page.locator('form').evaluate((form) => ({
    outline: getComputedStyle(form).outlineStyle,
    survivesReload: form.hasAttribute('data-draft'),
  }))
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )
const focusedField = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('name'))
const chosenPairs = (page: Page) =>
  page
    .getByRole('checkbox', { checked: true })
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value')))

describe('a new bot', () => {
  test('takes a newcomer one press, with a quarter of the balance suggested', async () => {
    const user = await userWith('1000')
    const page = await open('/bot-config', user)
    await sentence(page, 'Your Moderate bot on BTC, ETH + 3 with $250.')
    await press(page, 'Create Trading Bot')
    await page.getByRole('heading', { name: 'Moderate 5 coins', level: 1 }).waitFor()
    expect(await user.call('listBots')).toMatchObject([
      {
        name: 'Moderate 5 coins',
        riskLevel: 'moderate',
        tradingPairs: [...FIRST_PAIRS],
        investmentAmount: '250.00',
      },
    ])
    await expectFocus(page)
    await page.context().close()
  })

  test("the form is one page of at most 109 words, with the amount's past outcomes", async () => {
    const page = await open('/bot-config/new', await userWith('1000'), {
      before: async (opened) => {
        await changeFirstData((data) => ({ ...data, getEvidenceSummary: SUMMARY }))(opened)
        await opened.route(`**${routes.runBotEvidence.path}`, (route) =>
          route.fulfill({ json: OF_BOT }),
        )
      },
    })
    const bar = page.locator('.sticky').filter({ hasText: 'Hypothetical, any past 12 months' })
    await bar.getByText('$212–$431').waitFor()
    await bar.getByText('median $283').waitFor()
    const words = await page.evaluate(() => document.body.innerText.trim().split(/\s+/))
    expect(words.length).toBeLessThanOrEqual(109)
    await page.getByText('Aggressive', { exact: true }).click()
    await sentence(page, 'Your Aggressive bot on BTC, ETH + 3 with $250.')
    await page.getByLabel('Investment amount').fill('100')
    await bar.getByText('$85–$172').waitFor()
    await page.context().close()
  })

  test('the form has a sentence whose words lead to the parts below', async () => {
    const page = await open('/bot-config/new', await userWith('1000'))
    for (const [word, target] of [
      ['Moderate', 'riskLevel'],
      ['$250', 'investmentAmount'],
    ] as const) {
      await page.getByRole('link', { name: word, exact: true }).click()
      await expect.poll(() => focusedField(page)).toBe(target)
    }
    await page.getByRole('link', { name: 'BTC, ETH + 3' }).click()
    await expect.poll(() => focused(page)).toBe('Top 5')
    await page.context().close()
  })

  test('the form keeps the amount that it suggested while the balance changes', async () => {
    const user = await userWith('1000')
    const page = await open('/bot-config/new', user)
    await user.deposit('3000')
    await page.getByText('Available balance: $4,000.00').waitFor()
    expect(await page.getByLabel('Investment amount').inputValue()).toBe('250.00')
    await page.context().close()
  })

  test('a bot of another kind has the levels of that kind, and its warning', async () => {
    const page = await open('/bot-config/new', await userWith('1000'))
    await page.getByText('Kind: Trend').click()
    const kinds = page.getByRole('radiogroup', { name: 'Kind of bot' })
    await kinds.getByText('Balanced', { exact: true }).click()
    await page.getByRole('radio', { name: 'Moderate 50% in coins' }).waitFor({ state: 'attached' })
    await page.getByText('Past results, not a promise: you can lose money.').waitFor()
    await kinds.getByText('Hold', { exact: true }).click()
    await page.getByText('All of the money is in coins').waitFor()
    expect(await page.getByRole('group', { name: 'Risk level' }).getByRole('radio').count()).toBe(0)
    await sentence(page, 'Your Hold bot on BTC, ETH + 3 with $250.')
    await page.context().close()
  })

  test('each level is read once, and a share with what it is a share of', async () => {
    const page = await open('/bot-config/new', await userWith('1000'))
    const heard = await page.getByRole('group', { name: 'Risk level' }).ariaSnapshot()
    expect(heard.match(/Moderate/g)).toHaveLength(1)
    const shares = page.getByRole('group', { name: 'Share of the available balance' })
    await shares.getByRole('button', { name: '25%' }).waitFor()
    await page.context().close()
  })

  test('waits for a slow backtest and slow past outcomes without a further press', async () => {
    const late = {
      code: 'takes-long',
      message: 'This takes longer than usual. Please try again in a moment.',
    }
    const asked: string[] = []
    const page = await open('/bot-config/new', await userWith('1000'), {
      before: async (opened) => {
        for (const path of [routes.runBacktest.path, routes.runBotEvidence.path])
          await opened.route(
            `**${path}`,
            (route) => (
              asked.push(path),
              asked.filter((one) => one === path).length <= 2
                ? route.fulfill({ status: 503, json: late })
                : route.continue()
            ),
          )
      },
    })
    await openMore(page)
    await page.getByRole('button', { name: 'Details', exact: true }).waitFor()
    await expect
      .poll(() => asked.filter((one) => one === routes.runBotEvidence.path).length)
      .toBeGreaterThanOrEqual(3)
    expect(await page.getByText('could not be computed').count()).toBe(0)
    await page.context().close()
  })

  test('a new bot can get a plan, which survives a mistake in the form and a reload', async () => {
    const user = await userWith('1000')
    const page = await open('/bot-config/new', user)
    await page.getByLabel('Investment amount').fill('200')
    await openMore(page)
    await page.getByLabel('Amount each time').fill('0.50')
    await press(page, 'Every week')
    await press(page, 'Create Trading Bot')
    await page.getByText('Please enter a valid investment amount').first().waitFor()
    await expect.poll(() => focusedField(page)).toBe('planAmount')
    await page.getByLabel('Amount each time').fill('25')
    await page.getByLabel('Return everything above this worth').fill('1,500')
    await page.reload()
    await page.getByLabel('Amount each time').waitFor()
    expect(await page.getByLabel('Return everything above this worth').inputValue()).toBe('1,500')
    await press(page, 'Create Trading Bot')
    await page.getByText('Bot Created').first().waitFor()
    expect(await user.call('listBots')).toMatchObject([
      {
        investmentAmount: '200.00',
        plan: { amount: '25.00', every: 'week', takeAbove: '1500.00' },
      },
    ])
    await page.context().close()
  })

  test.each([
    ['the first', '/bot-config', () => userWith('100')],
    ['the first, from its own screen', '/bot-config/new', () => userWith('100')],
    ['the second', '/bot-config/new', userWithBot],
  ] as const)(
    'the bot is listed from the first frame, or a placeholder is: %s',
    async (_which, path, userOf) => {
      const page = await open(path, await userOf())
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/api/portfolio', async (route) => {
        await held
        await route.fallback()
      })
      await page.getByLabel('Bot name').fill('Mine')
      await page.getByLabel('Investment amount').fill('10')
      await press(page, 'Create Trading Bot')
      await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Bots' }).click()
      await page.getByRole('heading', { name: 'Your Trading Bots' }).waitFor()
      const stale = page
        .getByText('No bots yet')
        .or(page.getByRole('button', { name: 'Create Trading Bot' }))
      expect([
        await stale.count(),
        await page.locator('main .motion-safe\\:animate-breathe').count(),
      ]).toEqual([0, 1])
      release()
      await page.getByRole('link', { name: /Mine/ }).waitFor()
      expect(await page.locator('main .motion-safe\\:animate-breathe').count()).toBe(0)
      await page.context().close()
    },
  )

  test('the form has no animation, except for a press that waits for scripts', async () => {
    const page = await open('/', await userWith('1000'), { reducedMotion: 'no-preference' })
    await page.getByRole('link', { name: 'Bots' }).click()
    await page.getByText('Risk level').waitFor()
    const look = await page
      .locator('main form')
      .evaluate((form) => [
        getComputedStyle(form).outlineStyle,
        getComputedStyle(form).animationName,
      ])
    expect(look).toEqual(['none', 'none'])
    await page.context().close()
  })

  test('the form keeps what was typed through Back and a reload', async () => {
    const page = await open('/bot-config', await userWithBot())
    await page.getByRole('link', { name: 'New bot' }).click()
    await page.getByText('Conservative', { exact: true }).click()
    expect(await formMarks(page), 'only a press that waits is marked').toEqual({
      outline: 'none',
      survivesReload: true,
    })
    await page.getByText('Choose', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'BNB/USDT' }).uncheck({ force: true })
    await page.getByLabel('Bot name').fill('Mine')
    await page.getByLabel('Investment amount').fill('12.34')
    await page.goBack()
    await page.getByRole('heading', { name: 'Bot Configuration' }).waitFor()
    await page.goForward()
    const whole = 'Your Conservative bot on BTC, ETH + 2 with $12.34.'
    await sentence(page, whole)
    await page.reload()
    await sentence(page, whole)
    expect(await page.getByLabel('Bot name').inputValue()).toBe('Mine')
    expect(await chosenPairs(page)).toEqual(['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT'])
    expect(await page.getByRole('radio', { name: /^Conservative/ }).isChecked()).toBe(true)
    expect(await formMarks(page), 'after a reload').toEqual({
      outline: 'none',
      survivesReload: true,
    })
    await page.goto('/history')
    await page.goto('/bot-config/new')
    await expect.poll(() => page.getByLabel('Investment amount').inputValue()).toBe('12.34')
    await page.context().close()
  })

  test('no backtest of another amount is shown while its own is being fetched', async () => {
    const page = await open('/bot-config/new', await userWith('1000'))
    await openMore(page)
    const preview = page.getByRole('region', { name: 'Preview' })
    const figures = preview.getByText(/^Largest drop/)
    await page.getByLabel('Investment amount').fill('100')
    await figures.waitFor()
    await page.route('**/api/backtests', () => undefined)
    const request = page.waitForRequest('**/api/backtests')
    await page.getByLabel('Investment amount').fill('300')
    await request
    expect([await figures.count(), await preview.getAttribute('aria-busy')]).toEqual([0, 'true'])
    await page.context().close()
  })

  test('the form is cleared once the bot is created, and at sign-out', async () => {
    const page = await open('/bot-config/new', await userWith('100'))
    const kept = () =>
      page.evaluate(
        () => Object.keys(sessionStorage).filter((key) => key.includes('new-bot')).length,
      )
    await page.getByLabel('Investment amount').fill('10')
    expect(await kept()).toBe(1)
    await press(page, 'Create Trading Bot')
    await page.getByText('Bot Created').first().waitFor()
    expect(await kept()).toBe(0)
    await page.goto('/bot-config/new')
    await page.getByText('Aggressive', { exact: true }).click()
    expect(await kept()).toBe(1)
    await page.goto('/profile')
    await press(page, 'Sign Out')
    await page.getByText('Start Trading Now').waitFor()
    expect(await kept()).toBe(0)
    await page.context().close()
  })

  test('shows all errors at once, and focuses the first field', async () => {
    const page = await open('/bot-config/new', await userWith('100'))
    await page.getByText('Choose', { exact: true }).click()
    for (const pair of FIRST_PAIRS)
      await page.getByRole('checkbox', { name: pair, exact: true }).uncheck({ force: true })
    await page.getByText('Choose', { exact: true }).click()
    await page.getByLabel('Bot name').fill(' ')
    await page.getByLabel('Investment amount').fill('')
    await sentence(page, 'Your Moderate bot on no coins with no amount.')
    await press(page, 'Create Trading Bot')
    for (const error of [
      'Please enter a bot name',
      'Please enter a valid investment amount',
      'Please select at least one trading pair',
    ])
      await page.locator('form').getByText(error).waitFor()
    await expect.poll(() => focusedField(page)).toBe('tradingPairs')
    await press(page, 'All 12')
    expect(await page.getByText('Please select at least one trading pair').count()).toBe(0)
    await page.context().close()
  })

  test('the form leads to the deposit if there is no money', async () => {
    const page = await open('/bot-config/new', await product.world.user())
    await page.getByRole('link', { name: 'Deposit' }).click()
    await page.getByText('Choose Amount').waitFor()
    await page.context().close()
  })

  test.each([
    ['25%', '25.00'],
    ['50%', '50.00'],
    ['75%', '75.00'],
    ['Max', '100.00'],
  ])('%s fills in that share of the available balance', async (share, amount) => {
    const page = await open('/bot-config/new', await userWith('100'))
    await press(page, share)
    expect(await page.getByLabel('Investment amount').inputValue()).toBe(amount)
    await page.context().close()
  })
})

test('a choice with its preview shifts no layout, and the button stays in view', async () => {
  const page = await open('/bot-config/new', await userWith('1000'))
  await openMore(page)
  await page.getByText(/^Largest drop/).waitFor()
  await page.evaluate(() => {
    const shifts = { total: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && !('hadRecentInput' in entry && entry.hadRecentInput))
          shifts.total += Number(entry.value)
    }).observe({ type: 'layout-shift' })
  })
  const button = page.getByRole('button', { name: 'Create Trading Bot' })
  const before = await button.boundingBox()
  await page.getByLabel('Investment amount').fill('500')
  await page.getByText('Aggressive', { exact: true }).click()
  await page.getByText(/^Largest drop/).waitFor()
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  )
  expect(await button.boundingBox()).toEqual(before)
  expect((before?.y ?? 0) + (before?.height ?? 0)).toBeLessThanOrEqual(844)
  expect(
    await page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total),
  ).toBeLessThan(0.01)
  await page.context().close()
})

describe('the menu of a bot', () => {
  /** The menu takes the focus a task after it opens: an earlier key would be lost. */
  async function openAt(page: Page, key: string, name: string): Promise<void> {
    await page.keyboard.press(key)
    await expect.poll(() => focused(page)).toBe(name)
  }

  test('opens by keyboard, closes with Escape, and gives the focus back', async () => {
    const page = await open('/bot-config', await userWithBot(), DESK)
    await tabAndPress(page, 'Actions for Steady')
    await expect.poll(() => focused(page)).toBe('Pause Steady')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Actions for Steady')
    expect(await page.getByRole('menu').count()).toBe(0)
    await openAt(page, 'Enter', 'Pause Steady')
    await page.keyboard.press('r')
    expect(await focused(page)).toBe('Rename Steady')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Rename bot' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Actions for Steady')
    await page.context().close()
  })

  test('arrows, Home, End and first letters move in the menu, and Tab leaves it', async () => {
    const page = await open('/bot-config', await userWithBot(), DESK)
    await tabTo(page, 'Actions for Steady')
    expect(await page.getByRole('button', { name: 'Actions for Steady' }).ariaSnapshot()).toBe(
      '- button "Actions for Steady"',
    )
    await openAt(page, 'ArrowUp', 'Delete Steady')
    for (const [key, name] of [
      ['ArrowDown', 'Pause Steady'],
      ['ArrowUp', 'Delete Steady'],
      ['Home', 'Pause Steady'],
      ['ArrowDown', 'Add money to Steady'],
      ['End', 'Delete Steady'],
      ['c', 'Clone Steady'],
      ['x', 'Clone Steady'],
    ] as const) {
      await page.keyboard.press(key)
      expect([key, await focused(page)]).toEqual([key, name])
    }
    const items = page.getByRole('menu', { name: 'Actions for Steady' }).getByRole('menuitem')
    expect(await items.count()).toBe(8)
    await page.keyboard.press('Tab')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await focused(page)).not.toMatch(/Steady/)
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toBe('Actions for Steady')
    await page.context().close()
  })

  test('an action that is not possible keeps its place, and says why', async () => {
    const user = await userWithBot()
    const [bot] = await user.call('listBots')
    await user.call('updateBot', { params: { id: bot?.id }, body: { isActive: false } })
    const page = await open('/bot-config', user, DESK)
    await tabTo(page, 'Actions for Steady')
    await openAt(page, 'ArrowDown', 'Resume Steady')
    await page.keyboard.press('t')
    await page.keyboard.press('Enter')
    const item = page.getByRole('menuitem', { name: 'Take money out of Steady', disabled: true })
    expect([await focused(page), await page.getByRole('dialog').count()]).toEqual([
      'Take money out of Steady',
      0,
    ])
    expect(
      await item.evaluate(
        (one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent,
      ),
    ).toBe('Resume this bot first to take money out.')
    await page.context().close()
  })

  test('stays within the window if it fits neither above nor below its button', async () => {
    const page = await open('/bot-config', await userWithBot(), {
      ...DESK,
      viewport: { width: 1_280, height: 640 },
    })
    await press(page, 'Actions for Steady')
    const box = await page.locator(':popover-open').boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual(0)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640)
    await page.context().close()
  })

  test('clones a bot: its settings are filled in', async () => {
    const user = await userWithBot()
    const page = await open('/bot-config', user)
    await press(page, 'Actions for Steady')
    await page.getByRole('menuitem', { name: 'Clone Steady' }).click()
    await sentence(page, 'Your Aggressive bot on ADA, SOL with $100.')
    await press(page, 'Create Trading Bot')
    await page.getByRole('heading', { name: 'Steady 2', level: 1 }).waitFor()
    const { name: _, ...settings } = STEADY
    const clone = (await user.call('listBots')).find(({ name }) => name === 'Steady 2')
    expect(clone).toMatchObject({
      ...settings,
      tradingPairs: ['ADA/USDT', 'SOL/USDT'],
      investmentAmount: '100.00',
    })
    await page.context().close()
  })

  test('explains what a simulation does; its sheet closes with one Escape', async () => {
    const page = await open('/bot-config', await userWithBot(), DESK)
    await tabAndPress(page, 'Actions for Steady')
    await page.getByText('Replays the past 30 days. No money moves.').waitFor()
    await expect.poll(() => focused(page)).toBe('Pause Steady')
    await page.keyboard.press('s')
    await page.keyboard.press('Enter')
    await page.getByText('Trading Session Complete').first().waitFor()
    await page
      .getByRole('dialog', { name: 'The last 30 days, replayed' })
      .getByText('Result after fees')
      .waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('dialog', { name: 'The last 30 days, replayed' })
      .waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Actions for Steady')
    await page.context().close()
  })
})

test('the way to a new bot is above any list', async () => {
  const user = await userWith('1000')
  for (let count = 0; count < 20; count += 1)
    await user.call('createBot', {
      body: { ...STEADY, name: `Bot ${count}`, tradingPairs: ['BTC/USDT'], investmentAmount: '1' },
    })
  const page = await open('/bot-config', user)
  expect((await page.getByRole('link', { name: 'New bot' }).boundingBox())?.y).toBeLessThan(300)
  await page.context().close()
})

test('from 1024 px the list is beside a bot, and beside the form for a new one', async () => {
  const page = await open('/bot-config', await userWithBot(), DESK)
  const left = page.getByRole('region', { name: 'Your Trading Bots' })
  const isLeftOf = async (name: string | RegExp) => {
    const [list, right] = [
      await left.boundingBox(),
      await page.getByRole('heading', { name }).first().boundingBox(),
    ]
    return (list?.x ?? 0) + (list?.width ?? 0) <= (right?.x ?? 0)
  }
  await page.getByRole('heading', { name: FORM }).waitFor()
  expect(await isLeftOf(FORM)).toBe(true)
  await left.getByRole('link', { name: /Steady/ }).click()
  await page.getByRole('heading', { name: 'Current value' }).waitFor()
  await left.getByRole('link', { name: /Steady/ }).waitFor()
  expect(await isLeftOf('Current value')).toBe(true)
  await left.getByRole('link', { name: 'New bot' }).click()
  await page.getByRole('heading', { name: FORM }).waitFor()
  expect(await isLeftOf(FORM)).toBe(true)
  await tabTo(page, 'Create Trading Bot')
  await page.context().close()
})
