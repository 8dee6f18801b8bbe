import { randomUUID } from 'node:crypto'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { openProduct, type Product } from '../spec/product.ts'
import { isTest, readSources } from '../tidy/source.ts'
import type { TestUser } from '../world/world.ts'
import { confirmPerson } from './confirm-person.ts'
import { FORMS, type TriedForm } from './forms.ts'

let product: Product
let pages: Record<TriedForm['who'], Page>
let botId: string
/** The body of the last request that would change something. Such requests are blocked. */
let sent: string | undefined

beforeAll(async () => {
  product = await openProduct()
  const { world } = product
  const [ada, keeper, saver] = [
    await world.user('ada'),
    await world.user('keeper'),
    await world.user('saver'),
  ]
  for (const user of [ada, keeper, saver]) await user.deposit('1000')
  await saver.addBankAccount()
  const bot = await ada.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'SOL/USDT'],
      investmentAmount: '100',
    },
  })
  botId = bot.id
  await world.hours(72)
  await world.context.sql`
    insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name)
    values (${keeper.id}, ${randomUUID()}, 'AAAA', '\\x00', 0, '{}', 'Phone')`
  await sealAccount(world.context, keeper.id)
  pages = {
    nobody: await open(),
    ada: await open(ada),
    keeper: await open(keeper),
    saver: await open(saver),
  }
})
afterAll(() => product.close())

async function open(user?: TestUser): Promise<Page> {
  const page = await product.open('/help', user)
  return page
}

async function reach({ who, path, steps }: TriedForm): Promise<Page> {
  const page = pages[who]
  await page.unroute('**/api/**')
  // The page is loaded first, because changing only the fragment loads nothing.
  if (path.includes('#')) await page.goto('/help')
  await page.goto(path.replace(':id', botId))
  for (const step of steps) await step(page)
  return page
}

/** A form in a sheet has its button there; the screen behind it may have one of the same name. */
function buttonOf(page: Page, { send: name }: Pick<TriedForm, 'send'>) {
  const button = { name, exact: typeof name === 'string' }
  const inDialog = page.locator('dialog[open]').getByRole('button', button)
  return inDialog
    .or(page.locator('body:not(:has(dialog[open]))').getByRole('button', button))
    .last()
}

async function send(page: Page, form: TriedForm): Promise<void> {
  await buttonOf(page, form).click()
}

function bankForm(): TriedForm {
  const form = FORMS.find(({ file }) => file === 'withdrawals/bank-account-card.tsx')
  if (!form) throw new Error('the form is gone')
  return form
}

const fieldOf = (page: Page, label: string | RegExp) =>
  page.getByLabel(label, { exact: typeof label === 'string' }).last()

/** The first control of the form, in the order of the page, that is marked as wrong. */
const firstWrong = (page: Page) =>
  page
    .locator('form')
    .locator('[aria-invalid=true], [data-wrong] :is(input, button):enabled')
    .filter({ visible: true })
    .first()

async function pressEmpty(page: Page, form: TriedForm): Promise<void> {
  const [first] = form.fields
  if (first) await fieldOf(page, first.label).waitFor()
  for (const { label } of form.fields) {
    const field = fieldOf(page, label)
    // Some fields are shown only while another is filled.
    if ((await field.count()) > 0) await field.fill('')
  }
  if (form.empty === 'disabled') return expect(await buttonOf(page, form).isDisabled()).toBe(true)
  sent = undefined
  await send(page, form)
  if (form.empty === 'sent') return expect.poll(() => sent).toBeDefined()
  await expect
    .poll(async () =>
      (await firstWrong(page).count()) === 0
        ? 'nothing is wrong'
        : firstWrong(page).evaluate((field) => document.activeElement === field),
    )
    .toBe(true)
  return expect(sent).toBeUndefined()
}

test('every form of the product is tested here', () => {
  const files = readSources()
    .filter(({ path }) => path.startsWith('src/app/') && !isTest(path))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/<(Reviewed)?form\b/gi), () => path.slice('src/app/'.length)),
    )
  // Stripe's own fields stand in its frames, and check themselves.
  expect(files.toSorted()).toEqual(
    [
      ...FORMS.map(({ file }) => file),
      'deposits/stripe-payment-step.tsx',
      'api/form.tsx',
      'bots/sheet-step.tsx',
    ].toSorted(),
  )
})

test.each(
  FORMS.filter(
    ({ fields }) => fields.length === 0 || fields.some(({ wrong }) => wrong !== undefined),
  ).map((form) => [form.file, form] as const),
)(
  'each invalid field of %s has its message, and the first of them gets the focus',
  async (_file, form) => {
    const page = await reach(form)
    await failing(page)
    await pressEmpty(page, form)
    for (const { label, wrong = '' } of form.fields) await fieldOf(page, label).fill(wrong)
    await send(page, form)
    await page.getByRole('alert').filter({ visible: true }).first().waitFor()
    for (const { label } of form.fields)
      await expect
        .poll(() => fieldOf(page, label).getAttribute('aria-invalid'), { message: String(label) })
        .toBe('true')
    const [first] = form.fields
    const expected = first ? fieldOf(page, first.label) : page.getByRole('checkbox').first()
    await expect
      .poll(() => expected.evaluate((field) => document.activeElement === field))
      .toBe(true)
  },
)

test.each(
  FORMS.filter(({ fields }) => fields.length > 0).map((form) => [form.file, form] as const),
)(
  'pressed twice, %s is sent once; sent again after a failure, the same content has the same key',
  async (_file, form) => {
    const page = await reach(form)
    const keys: (string | undefined)[] = []
    await failing(page, (request) => keys.push(request.headers()['idempotency-key']))
    for (const { label, good } of form.fields) await fieldOf(page, label).fill(good)
    if (form.confirm !== undefined) await send(page, form)
    const button = buttonOf(page, { send: form.confirm ?? form.send })
    const press = async () => {
      const before = keys.length
      await button.evaluate((element: HTMLElement) => {
        element.click()
        element.click()
      })
      await expect.poll(() => keys.length).toBe(before + 1)
      await expect.poll(() => button.getAttribute('aria-busy')).not.toBe('true')
    }
    await press()
    await press()
    expect(keys).toEqual([keys[0], keys[0]])
  },
)

test('a withdrawal without a valid amount and without an account reports both', async () => {
  const page = pages.ada
  await page.goto('/withdraw')
  await page.getByLabel('Amount', { exact: true }).fill('20.001')
  await page.getByRole('button', { name: 'Request Withdrawal' }).click()
  await page.getByText('Add a bank account first').filter({ visible: true }).first().waitFor()
  await expect
    .poll(() =>
      page
        .getByLabel('Amount', { exact: true })
        .evaluate((field) => document.activeElement === field && field.ariaInvalid),
    )
    .toBe('true')
  await page.getByLabel('Amount', { exact: true }).fill('20')
  await page.getByRole('button', { name: 'Request Withdrawal' }).click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Add Bank Account')
})

test('pressed again with the same mistake, a form moves the focus again', async () => {
  const form = bankForm()
  const page = await reach(form)
  for (const press of [1, 2]) {
    await send(page, form)
    await expect
      .poll(
        () => fieldOf(page, 'Bank name').evaluate((field) => document.activeElement === field),
        { message: `press ${press}` },
      )
      .toBe(true)
  }
})

/**
 * Text as people paste it: ten blanks before it, full-width digits, separators that fit the kind of
 * field, and the end of a line.
 */
const pasted = {
  figure: (text: string) => {
    const grouped = text.replaceAll(/(\d{4})(?=\d)/g, '$1\u00a0').replace(/(\d{2})(?=\d)/, '$1-')
    return `          ${wide(grouped)}\u200b \n`
  },
  amount: (text: string) => `          \u202a${wide(text)}\u202c\u00a0\n`,
  text: (text: string) => `          ${text}\u00a0\n`,
  secret: (text: string) => text,
}
const wide = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))

async function enter(page: Page, label: string | RegExp, text: string): Promise<void> {
  await fieldOf(page, label).focus()
  await page.keyboard.press('ControlOrMeta+a')
  // Inserts text as the clipboard does, within the limits that the field sets.
  await page.keyboard.insertText(text)
}

/**
 * The request that a form sends, or the amount in its next step; undefined if the form refuses its
 * fields.
 */
async function outcome(page: Page, form: TriedForm): Promise<string | undefined> {
  sent = undefined
  await send(page, form)
  const { review } = form
  const next = review ? page.getByText(review).first() : undefined
  const isWrong = async () => (await page.locator('form [aria-invalid=true]').count()) > 0
  await expect
    .poll(async () => sent !== undefined || ((await next?.count()) ?? 0) > 0 || (await isWrong()), {
      message: form.file,
    })
    .toBe(true)
  if (!next || (await next.count()) === 0) return sent
  const shown = await next.locator('xpath=ancestor::*[@data-unfinished]').innerText()
  await page.getByRole('button', { name: 'Back', exact: true }).last().click()
  return shown
}

/** Ignores previews of a new bot, which are sent while the user types. */
const failing = async (page: Page, onSent: (request: Request) => void = noteBody) =>
  page.route('**/api/**', (route) => {
    const request = route.request()
    if (request.method() === 'GET' || request.url().endsWith(routes.runBacktest.path))
      return route.fallback()
    onSent(request)
    return route.fulfill({ status: 503, body: '' })
  })
const noteBody = (request: Request): void => void (sent = request.postData() ?? '')

test.each(
  FORMS.filter(({ fields }) => fields.length > 0).map((form) => [form.file, form] as const),
)('text pasted into %s is sent as it was meant, or refused whole', async (_file, form) => {
  const page = await reach(form)
  await failing(page)
  const run = async (textOf: (field: TriedForm['fields'][number]) => string) => {
    for (const field of form.fields) await enter(page, field.label, textOf(field))
    return outcome(page, form)
  }
  const meant = await run(({ good }) => good)
  expect(meant).toBeDefined()
  expect(await run(({ kind, good }) => pasted[kind](good))).toEqual(meant)
  const long = ({ good }: { good: string }) => good.repeat(10)
  const result = await run(long)
  const bare = (text: string) => text.replaceAll(/[ /]/g, '')
  for (const field of form.fields) {
    const whole = result ?? bare(await fieldOf(page, field.label).inputValue())
    expect(whole).toContain(result === undefined ? bare(long(field)) : long(field))
  }
})

test('a pasted account number is shown whole and stored whole', async () => {
  const page = await reach({ ...bankForm(), who: 'ada' })
  for (const field of bankForm().fields)
    await enter(page, field.label, pasted[field.kind](field.good))
  await send(page, bankForm())
  await page
    .getByText('account number 0001 2345 6789 0123, routing number 021000021')
    .first()
    .waitFor()
  await confirmPerson(page)
  await page.getByText('First Bank •••• 0123').first().waitFor()
  const [row] = await product.world.context.sql<
    { userId: string; sealed: string }[]
  >`select user_id, account_number_sealed as sealed from bank_accounts
    where account_number_last4 = '0123'`
  const secret = product.world.context.config.SESSION_SECRET
  expect(row && unseal({ sealed: row.sealed, userId: row.userId, secret })).toBe('0001234567890123')
})

/**
 * How engines report the Enter that confirms a composed word: Chromium and Firefox, older ones, and
 * Safari, where the composition ends before the key is pressed.
 */
const CONFIRMING = [
  { isComposing: true, keyCode: 229 },
  { isComposing: true, keyCode: 13 },
  { isComposing: false, keyCode: 229 },
]

/** Whether the form ignores this press of Enter, and so sends nothing. */
const isLeft = (page: Page, press: object) =>
  page.getByLabel('Your question').evaluate((field, init) => {
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    return field.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
    )
  }, press)

test('the Enter that confirms a composed word sends nothing', async () => {
  const early = await product.open('/help', undefined, {
    isEarly: true,
    before: (page) => page.route('**/*.js', () => undefined),
  })
  for (const page of [
    early,
    await reach({ ...bankForm(), who: 'nobody', path: '/help', steps: [] }),
  ]) {
    await page.getByLabel('Your question').fill('手数料は')
    for (const press of CONFIRMING)
      expect({ ...press, isLeft: await isLeft(page, press) }).toEqual({ ...press, isLeft: true })
    expect(await isLeft(page, { keyCode: 13 })).toBe(false)
  }
  await early.context().close()
})
