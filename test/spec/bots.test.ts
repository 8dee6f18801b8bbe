import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { FIRST_PAIRS } from '#core/bots/first-bot.ts'
import { createRisingWorld } from '../world/small-book.ts'
import type { TestUser } from '../world/world.ts'
import { answering, FAULT, holding } from './answers.ts'
import {
  absent,
  at,
  becomes,
  button,
  field,
  fill,
  follow,
  goTo,
  heading,
  holds,
  inRegion,
  key,
  link,
  menuItem,
  press,
  pressItem,
  steps,
  text,
  equals,
  type Check,
} from './checks.ts'
import { backgroundOf, GREEN } from './colours.ts'
import { openProduct, type Product } from './product.ts'
import { asked } from './requests.ts'
import { screen } from './rows.ts'
import { destructive, toast } from './toasts.ts'

let product: Product
let user: TestUser
beforeAll(async () => {
  product = await openProduct(createRisingWorld())
  user = await product.world.user()
  await user.deposit('1000')
})
afterAll(() => product.close())

/** A valid bot except for its amount. */
const OTHERWISE_GOOD = { riskLevel: 'moderate', tradingPairs: ['BTC/USDT', 'XRP/USDT'] }

async function openWithBots(): Promise<Page> {
  for (const name of ['Steady', 'Resting'])
    await user.call('createBot', { body: { ...OTHERWISE_GOOD, name, investmentAmount: '200' } })
  await product.world.hours(48)
  const resting = (await user.call('listBots')).find(({ name }) => name === 'Resting')
  await user.call('updateBot', { params: { id: resting?.id }, body: { isActive: false } })
  return product.open('/bot-config', user)
}

const statusOf = async (name: string) =>
  (await user.call('listBots')).find((bot) => bot.name === name)?.status

const row = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Your Trading Bots' })
    .getByRole('listitem')
    .filter({ hasText: name })
const inRow =
  (name: string, words: string | RegExp): Check =>
  (page) =>
    row(page, name).getByText(words).first().waitFor()
const create = press('Create Trading Bot')
/** Presses an action in the menu of a bot. */
const act = (action: string, name: string): Check =>
  steps(press(`Actions for ${name}`), pressItem(`${action} ${name}`))
const inMenu = (action: string, name: string): Check =>
  steps(press(`Actions for ${name}`), menuItem(`${action} ${name}`), key('Escape'))
const openForm = goTo('/bot-config/new')
/** Opens a part of the form. */
const openPart =
  (name: string): Check =>
  (page) =>
    page.getByText(name, { exact: true }).click()
const openPairs = openPart('Choose')
const risk =
  (name: string, band: string): Check =>
  (page) =>
    page.getByRole('radio', { name: `${name} ${band}`, exact: true }).waitFor({ state: 'attached' })
const pair =
  (name: string): Check =>
  (page) =>
    page.getByRole('checkbox', { name, exact: true }).waitFor({ state: 'attached' })
const check =
  (name: string): Check =>
  (page) =>
    page.getByRole('checkbox', { name, exact: true }).check({ force: true })
const uncheck =
  (name: string): Check =>
  (page) =>
    page.getByRole('checkbox', { name, exact: true }).uncheck({ force: true })
const refuses = (fields: Record<string, string>, title: string, sentence: string): Check =>
  steps(fill(fields), create, destructive(title, sentence))
const closeReport = steps(
  (page) => page.getByRole('dialog', { name: 'The last 30 days, replayed' }).waitFor(),
  press('Close'),
)
const deletes = (...then: Check[]): Check =>
  steps(goTo('/bot-config'), act('Delete', 'Resting'), press('Delete bot'), ...then)

screen(openWithBots, {
  '2 Bot Configuration': {
    "title 'Bot Configuration'": heading('Bot Configuration'),
    "list 'Your Trading Bots'": heading('Your Trading Bots'),
    'an active bot has a filled green dot': async (page) => {
      equals(await backgroundOf(row(page, 'Steady').locator('.rounded-full').first()), GREEN)
    },
    'an inactive bot has a dot that is not green': async (page) => {
      const dot = row(page, 'Resting').locator('.rounded-full').first()
      await dot.waitFor()
      equals((await backgroundOf(dot)) === GREEN, false)
    },
    'a bot has its name': inRow('Steady', 'Steady'),
    'a bot has its pairs': inRow('Steady', /BTC, XRP/),
    'a bot has its risk level': inRow('Steady', /moderate/),
    'a bot has its total return as +x.xx%': async (page) => {
      const { totalReturn } =
        (await user.call('listBots')).find(({ name }) => name === 'Steady') ?? {}
      equals(totalReturn, expect.stringMatching(/^\d+\.\d\d$/))
      await inRow('Steady', `+${totalReturn}%`)(page)
    },
    'a bot has its investment amount': inRow('Steady', '$200.00'),
    'a bot has a simulate-trade button': inMenu('Simulate trade with', 'Steady'),
    'a bot has a delete button': inMenu('Delete', 'Steady'),
    'a bot can be paused (decision 15)': steps(
      act('Pause', 'Steady'),
      inMenu('Resume', 'Steady'),
      () => becomes(() => statusOf('Steady'), 'paused'),
      act('Resume', 'Steady'),
      inMenu('Pause', 'Steady'),
      () => becomes(() => statusOf('Steady'), 'active'),
    ),
    'a paused bot can be resumed (decision 15)': inMenu('Resume', 'Resting'),
    'the fee is shown with the figure before money is taken out (decision 6)': steps(
      act('Delete', 'Steady'),
      (page) =>
        page
          .getByRole('alertdialog')
          .getByText(/pays our fee of about \$\d+\.\d\d\. The rest, now about/)
          .waitFor(),
      press('Keep bot'),
    ),
    'the form opens above the list, however long that is': steps(
      link('New bot', '/bot-config/new'),
      follow('New bot'),
      at('/bot-config/new'),
    ),
    'form: risk level radio': async (page) => {
      const levels = page.getByRole('group', { name: 'Risk level' }).getByRole('radio')
      const chosen = () =>
        levels.evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).checked))
      for (const [place, expected] of [
        [0, [true, false, false]],
        [2, [false, false, true]],
        [1, [false, true, false]],
      ] as const) {
        await levels.nth(place).check({ force: true })
        equals(await chosen(), expected)
      }
    },
    'form: trading pair checkboxes': steps(openPairs, (page) =>
      page
        .getByRole('group', { name: 'Trading pairs' })
        .getByRole('checkbox')
        .first()
        .waitFor({ state: 'attached' }),
    ),
    'form: bot name': field('Bot name'),
    'form: investment amount, a number': field('Investment amount', { inputmode: 'decimal' }),
    'form: the available balance': text(/^Available balance: \$600\.00$/),
    "form: button 'Create Trading Bot'": button('Create Trading Bot'),
    'a figure over past candles carries the disclaimer on the same screen (decision 1)': steps(
      openPart('Guards, plan, fee'),
      fill({ 'Investment amount': '100' }),
      inRegion('Preview', /^Largest drop/),
      inRegion('Preview', 'Hypothetical: no money moved'),
      fill({ 'Investment amount': '' }),
    ),
    'the 15 % fee is shown with an example before a bot is created (decision 6)': steps(
      inRegion('Fee', /^Our fee is 15\.00% of the profit that you take out of a bot/),
      async (page) => {
        const lines = await page
          .getByRole('region', { name: 'Fee' })
          .getByRole('definition')
          .allTextContents()
        equals(
          lines.map((line) => line.replace('−', '-')),
          ['$100.00', '-$15.00', '$85.00'],
        )
      },
    ),
  },
  '9 Risk levels': {
    'conservative: 15-25% returns': steps(openForm, risk('Conservative', '15-25% returns')),
    'moderate: 25-50% returns': risk('Moderate', '25-50% returns'),
    'aggressive: 50-75% returns': risk('Aggressive', '50-75% returns'),
    'the default is moderate': (page) =>
      becomes(() => page.getByRole('radio', { name: /^Moderate/ }).isChecked(), true),
    'with the bands: a target, not a promise (decision 1)': text(
      'Target, not a promise: you can lose money.',
    ),
  },
  '9 Trading pairs': {
    'in their part of the form': openPairs,
    ...Object.fromEntries(
      ['BTC', 'ETH', 'ADA', 'DOT', 'SOL', 'AVAX', 'LINK', 'UNI', 'LTC', 'XRP', 'BNB'].map(
        (symbol) => [`${symbol} against USDT`, pair(`${symbol}/USDT`)],
      ),
    ),
    'MATIC against USDT, as MATIC (POL) (decision 14)': pair('MATIC (POL)/USDT'),
    'these 12 and no other': (page) => becomes(() => page.getByRole('checkbox').count(), 12),
  },
  '5 Bot': {
    "a blank name: 'Invalid Name' / 'Please enter a bot name'": steps(
      openForm,
      refuses({ 'Bot name': '   ' }, 'Invalid Name', 'Please enter a bot name'),
    ),
    'a name over 50 characters is refused, not cut': steps(
      refuses(
        { 'Bot name': 'b'.repeat(51) },
        'Invalid Name',
        'A bot name can have up to 50 characters.',
      ),
      holds('Bot name', 'b'.repeat(51)),
    ),
    "no pairs: 'No Trading Pairs' / 'Please select at least one trading pair'": steps(
      openForm,
      openPairs,
      ...FIRST_PAIRS.map(uncheck),
      fill({ 'Bot name': 'Third', 'Investment amount': '' }),
      create,
      destructive('No Trading Pairs', 'Please select at least one trading pair'),
    ),
    "no amount: 'Invalid Amount' / 'Please enter a valid investment amount'": steps(
      check('BTC/USDT'),
      refuses({}, 'Invalid Amount', 'Please enter a valid investment amount'),
    ),
    "an amount of 0: 'Invalid Amount' / 'Please enter a valid investment amount'": refuses(
      { 'Investment amount': '0' },
      'Invalid Amount',
      'Please enter a valid investment amount',
    ),
    "an amount below 0: 'Invalid Amount'": refuses(
      { 'Investment amount': '-1' },
      'Invalid Amount',
      'Please enter a valid investment amount',
    ),
    "above the balance: 'Insufficient Balance' / 'Investment amount exceeds available balance'":
      refuses(
        { 'Investment amount': '600.01' },
        'Insufficient Balance',
        'Investment amount exceeds available balance',
      ),
    "deleting asks 'Are you sure you want to delete this bot?'": steps(
      goTo('/bot-config'),
      act('Delete', 'Resting'),
      (page) =>
        page
          .getByRole('alertdialog', { name: 'Are you sure you want to delete this bot?' })
          .waitFor(),
      press('Keep bot'),
      absent('Are you sure you want to delete this bot?'),
    ),
  },
  '9 Bot investment': {
    'below the minimum of 1 it is refused': steps(
      openForm,
      refuses(
        { 'Investment amount': '0.99' },
        'Invalid Amount',
        'Please enter a valid investment amount',
      ),
    ),
    'finer than the step of 0.01 it is refused': refuses(
      { 'Investment amount': '1.001' },
      'Invalid Amount',
      'Please enter a valid investment amount',
    ),
  },
  '8 Errors': {
    "Failed to Create Bot: 'Failed to create trading bot.'": steps(
      fill({ 'Investment amount': '1' }),
      answering(
        'POST /api/trading-bots',
        FAULT,
        create,
        destructive('Failed to Create Bot', 'Failed to create trading bot.'),
      ),
    ),
    "Failed to Delete Bot: 'Failed to delete trading bot.'": answering(
      'DELETE /api/trading-bots/{id}',
      FAULT,
      deletes(destructive('Failed to Delete Bot', 'Failed to delete trading bot.')),
    ),
    "Trading Error: 'Failed to execute trade. Please try again.'": answering(
      'POST /api/simulate-bot-trade/{id}',
      FAULT,
      act('Simulate trade with', 'Steady'),
      destructive('Trading Error', 'Failed to execute trade. Please try again.'),
    ),
  },
  '2 Bot Configuration, creating': {
    "the button says 'Creating...' while pending": steps(
      openForm,
      holding('POST /api/trading-bots', create, button('Creating...')),
    ),
  },
  '8 Successes': {
    "'Bot Created'": toast('Bot Created'),
    "'Bot Deleted'": deletes(toast('Bot Deleted')),
    "'Trading Session Complete': 'Bot executed profitable trades!' for a gain (decision 2)": async (
      page,
    ) => {
      const answer = page.waitForResponse((response) =>
        response.url().includes('/api/simulate-bot-trade/'),
      )
      await act('Simulate trade with', 'Steady')(page)
      equals(
        ((await (await answer).json()) as { netResult: string }).netResult,
        expect.stringMatching(/^[1-9]\d*\.\d\d$/),
      )
      await closeReport(page)
      await toast('Trading Session Complete', 'Bot executed profitable trades!')(page)
    },
  },
  '9 Bot investment, taken': {
    'the minimum of 1 is taken': steps(goTo('/bot-config'), inRow('Third', 'on $1.00')),
    'a step of 0.01 is taken': steps(
      openForm,
      fill({ 'Bot name': 'Fourth', 'Investment amount': '1.01' }),
      create,
      toast('Bot Created'),
      goTo('/bot-config'),
      inRow('Fourth', '$1.01'),
    ),
    'all of the available balance is taken (decision 16)': async (page) => {
      const { availableBalance } = await user.call('getUser')
      await openForm(page)
      await fill({ 'Bot name': 'Fifth', 'Investment amount': availableBalance })(page)
      await steps(create, toast('Bot Created'), openForm, text('Available balance: $0.00'))(page)
    },
    'the form begins anew': steps(
      holds('Bot name', 'Moderate BTC + XRP'),
      holds('Investment amount', ''),
    ),
    'without money it leads to the deposit': link('Deposit', '/deposit'),
  },
  '7 Calls': {
    'POST /api/trading-bots: name, riskLevel, tradingPairs, investmentAmount': async (page) => {
      await user.deposit('100')
      await openForm(page)
      await steps(openPairs, uncheck('XRP/USDT'))(page)
      await fill({ 'Bot name': 'Sixth', 'Investment amount': '5' })(page)
      const request = asked(page, 'POST /api/trading-bots')
      await answering(
        'POST /api/trading-bots',
        FAULT,
        create,
        destructive('Failed to Create Bot'),
      )(page)
      equals((await request).postDataJSON(), {
        name: 'Sixth',
        riskLevel: 'moderate',
        tradingPairs: ['BTC/USDT'],
        investmentAmount: '5',
      })
    },
    'POST /api/trading-bots: an Idempotency-Key header, made for the attempt': async (page) => {
      const again = asked(page, 'POST /api/trading-bots')
      await answering(
        'POST /api/trading-bots',
        FAULT,
        create,
        destructive('Failed to Create Bot'),
      )(page)
      const first = (await again).headers()['idempotency-key'] ?? ''
      equals(first, expect.stringMatching(/^[0-9a-f]{32}$/))
      await fill({ 'Investment amount': '6' })(page)
      const next = asked(page, 'POST /api/trading-bots')
      await answering(
        'POST /api/trading-bots',
        FAULT,
        create,
        destructive('Failed to Create Bot'),
      )(page)
      equals((await next).headers()['idempotency-key'] === first, false)
    },
    'POST /api/simulate-bot-trade/{id}: an empty body': async (page) => {
      const steady = (await user.call('listBots')).find(({ name }) => name === 'Steady')
      await goTo('/bot-config')(page)
      const request = asked(page, `POST /api/simulate-bot-trade/${steady?.id}`)
      await act('Simulate trade with', 'Steady')(page)
      equals((await request).postData(), null)
      await closeReport(page)
      await toast('Trading Session Complete')(page)
    },
    'DELETE /api/trading-bots/{id}: an empty body': async (page) => {
      const steady = (await user.call('listBots')).find(({ name }) => name === 'Steady')
      const request = asked(page, `DELETE /api/trading-bots/${steady?.id}`)
      await steps(act('Delete', 'Steady'), press('Delete bot'))(page)
      equals((await request).postData(), null)
      await toast('Bot Deleted')(page)
    },
  },
})
