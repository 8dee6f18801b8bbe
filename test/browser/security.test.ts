import { Secret, TOTP } from 'otpauth'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { createWorld, PASSWORD, type TestUser } from '../world/world.ts'
import { confirmPerson, CONFIRMATION } from './confirm-person.ts'
import { expectFocus } from './expect-focus.ts'
import { measureLooks } from './measures.ts'

/** The product's clock, which tests turn on: each code of an authenticator counts once. */
let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)

let product: Product
/** WebAuthn needs a name. */
let site: string
beforeAll(async () => {
  product = await openProduct(createWorld({ config: { LOGIN_ATTEMPTS: 1_000 }, context: { now } }))
  site = product.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => product.close())

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const says = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor()

/** How often this page has asked the browser for a passkey. */
const asksOf = (page: Page) =>
  page.evaluate(() => Number(document.documentElement.dataset['asks'] ?? 0))

/** Counts in the page how often it asks for a passkey. */
function countAsks(): void {
  const get = CredentialsContainer.prototype.get
  CredentialsContainer.prototype.get = function (options) {
    const { dataset } = document.documentElement
    dataset['asks'] = String(Number(dataset['asks'] ?? 0) + 1)
    return get.call(this, options)
  }
}

type Device = { cdp: CDPSession; id: string }

/** A page with a device that makes and uses passkeys, as the user or signed out. */
async function openWithDevice(
  path: string,
  user?: TestUser,
): Promise<{ page: Page; device: Device }> {
  let device: Device | undefined
  const page = await product.open(path, undefined, {
    baseURL: site,
    before: async (opening) => {
      await opening.addInitScript(countAsks)
      const [name = '', value = ''] = user?.cookie.split('=') ?? []
      if (user) await opening.context().addCookies([{ name, value, url: site }])
      const cdp = await opening.context().newCDPSession(opening)
      await cdp.send('WebAuthn.enable')
      const options = {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      } as const
      device = {
        cdp,
        id: (await cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId,
      }
    },
  })
  if (!device) throw new Error('no device')
  return { page, device }
}

/** Whether somebody touches the device when it asks. */
const touch = ({ cdp, id }: Device, enabled: boolean) =>
  cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled })

async function saver(): Promise<TestUser> {
  const user = await product.world.user()
  await user.deposit('1000')
  await user.addBankAccount()
  return user
}

/**
 * Reads the recovery codes, which are shown once. Then closes the sheet, and the toast, which would
 * cover a button.
 */
async function keepCodes(page: Page): Promise<string[]> {
  const sheet = dialog(page, 'Your recovery codes')
  await sheet.waitFor()
  const codes = await sheet.getByRole('listitem').allInnerTexts()
  expect(codes.filter((code) => /^[0-9a-z]{5}-[0-9a-z]{5}$/.test(code))).toHaveLength(10)
  await sheet.getByRole('button', { name: 'I have saved them' }).click()
  await sheet.waitFor({ state: 'detached' })
  await expectFocus(page)
  const dismiss = button(page, 'Dismiss')
  if ((await dismiss.count()) > 0) await dismiss.click()
  return codes
}

async function addPasskey(page: Page): Promise<string[]> {
  await button(page, 'Add a passkey').click()
  await confirmPerson(page)
  return keepCodes(page)
}

/** Types name and password, and goes on to the question for the second factor. */
async function toSecondFactor(page: Page, { username }: TestUser): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign In').click()
  await says(page, 'Your password is correct. Now use your second factor.')
}

function codeOf(secret: string): string {
  offsetMs += 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now().getTime() })
}

describe('users can', () => {
  test('add a passkey, sign in with it alone, and withdraw with it', async () => {
    const user = await saver()
    const { page, device } = await openWithDevice('/profile/security', user)
    await addPasskey(page)
    await page.getByText(/^Added .* \d+, \d{4}$/).waitFor()
    await page.goto('/profile')
    await touch(device, false)
    await button(page, 'Sign Out').click()
    await says(page, 'Logged out successfully')
    await page.goto('/login')
    // The suggestions wait. A press on the button takes over from them.
    await expect.poll(() => asksOf(page)).toBe(1)
    await touch(device, true)
    await button(page, 'Sign in with a passkey').click()
    await says(page, 'Welcome back!')
    await page.goto('/withdraw')
    await page.getByLabel('Amount', { exact: true }).fill('25')
    await button(page, 'Request Withdrawal').click()
    await button(page, 'Confirm withdrawal').click()
    await dialog(page, CONFIRMATION)
      .getByText('Withdrawal of $25.00 to First Bank •••• 6789')
      .waitFor()
    await button(page, 'Confirm with a passkey').click()
    await says(page, 'Withdrawal Requested')
    await expectFocus(page)
    await page.context().close()
  })

  test('sign in with a passkey that the browser suggests in the username field', async () => {
    const user = await saver()
    const { page } = await openWithDevice('/profile/security', user)
    await addPasskey(page)
    await page.context().clearCookies()
    // The device accepts the suggestion at once, without a press.
    await page.goto('/login')
    await says(page, 'Welcome back!')
    expect(new URL(page.url()).pathname).toBe('/')
    await page.context().close()
  })

  test('rename and remove a passkey, and the focus is never lost', async () => {
    const { page } = await openWithDevice('/profile/security', await saver())
    await addPasskey(page)
    await button(page, /^Rename /).click()
    await page.getByLabel('Name', { exact: true }).fill('Old phone')
    await dialog(page, 'Rename passkey').getByRole('button', { name: 'Save', exact: true }).click()
    await says(page, 'Old phone')
    await dialog(page, 'Rename passkey').waitFor({ state: 'detached' })
    await expectFocus(page)
    await button(page, 'Remove Old phone').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await button(page, 'Confirm with a passkey').click()
    await says(page, 'Passkey removed')
    await expect.poll(() => page.getByText('Old phone').count()).toBe(0)
    await expectFocus(page)
    await page.context().close()
  })

  test('set up an authenticator app, sign in with its code, and with a recovery code', async () => {
    const user = await saver()
    const { page } = await openWithDevice('/profile/security', user)
    await button(page, 'Set up an authenticator app').click()
    await confirmPerson(page)
    const sheet = dialog(page, 'Set up the app')
    await sheet.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = (await sheet.locator('p.select-all').innerText()).replaceAll(' ', '')
    expect(await sheet.getByRole('link').getAttribute('href')).toContain(`secret=${secret}`)
    await page.getByLabel('Six-digit code').fill('000000')
    await sheet.getByRole('button', { name: 'Confirm' }).click()
    await says(page, 'This code is incorrect or was already used.')
    await page.getByLabel('Six-digit code').fill(codeOf(secret))
    await sheet.getByRole('button', { name: 'Confirm' }).click()
    // The button that opened the sheet is gone by then, and with it the place for the focus.
    await page.getByText(/^Set up on /).waitFor()
    const [first = ''] = await keepCodes(page)
    for (const code of [codeOf(secret), first]) {
      await page.context().clearCookies()
      await toSecondFactor(page, user)
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
        .toBe('code')
      await button(page, 'Sign In').click()
      await says(page, 'Required')
      await page.getByLabel('Code', { exact: true }).fill(code)
      await button(page, 'Sign In').click()
      await says(page, 'Welcome back!')
    }
    await page.context().close()
  })

  test('make new recovery codes with a code of the old set', async () => {
    const { page, device } = await openWithDevice('/profile/security', await saver())
    const [first = '', ...others] = await addPasskey(page)
    await touch(device, false)
    await button(page, 'Make new codes').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click()
    await dialog(page, CONFIRMATION).getByLabel('Recovery code').fill(first)
    await dialog(page, CONFIRMATION).getByRole('button', { name: 'Confirm', exact: true }).click()
    await dialog(page, 'Your recovery codes').waitFor()
    const fresh = await keepCodes(page)
    expect(fresh.filter((code) => [first, ...others].includes(code))).toEqual([])
    await says(page, '10 codes are left')
    await page.context().close()
  })

  test('add a passkey from the receipt of a deposit, or dismiss the offer for good', async () => {
    const [adder, decliner] = [await product.world.user(), await product.world.user()]
    for (const user of [adder, decliner]) await user.deposit('100')
    const receiptOf = async (user: TestUser) =>
      `/?receipt=${(await user.call('listTransactions')).items[0]?.id}`
    const added = await openWithDevice(await receiptOf(adder), adder)
    await added.page.getByRole('heading', { name: 'Protect your money' }).waitFor()
    await addPasskey(added.page)
    await expect
      .poll(() => added.page.getByRole('heading', { name: 'Protect your money' }).count())
      .toBe(0)
    expect((await adder.call('getFactors')).passkeys).toHaveLength(1)
    await added.page.context().close()
    const declined = await openWithDevice(await receiptOf(decliner), decliner)
    await button(declined.page, 'Not now').click()
    await expectFocus(declined.page)
    await declined.page.reload()
    await button(declined.page, 'Put it to work')
      .or(declined.page.getByRole('link', { name: 'Put it to work' }))
      .first()
      .waitFor()
    await declined.page.waitForLoadState('networkidle')
    expect(await declined.page.getByRole('heading', { name: 'Protect your money' }).count()).toBe(0)
    await declined.page.context().close()
  })
})

describe('the sheet that asks for a proof', () => {
  test('closing the sheet does and reports nothing; the action can be restarted', async () => {
    const user = await saver()
    const { page } = await openWithDevice('/withdraw', user)
    await page.getByLabel('Amount', { exact: true }).fill('25')
    await button(page, 'Request Withdrawal').click()
    await button(page, 'Confirm withdrawal').click()
    await dialog(page, CONFIRMATION).getByRole('button', { name: 'Close' }).click()
    await dialog(page, CONFIRMATION).waitFor({ state: 'detached' })
    expect(await page.getByText('Withdrawal Failed').count()).toBe(0)
    await expectFocus(page)
    expect(await user.call('listWithdrawals')).toEqual([])
    await button(page, 'Confirm withdrawal').click()
    await confirmPerson(page, 'wrong password')
    await says(page, 'This password is incorrect.')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('password')
    await confirmPerson(page)
    await says(page, 'Withdrawal Requested')
    expect(await user.call('listWithdrawals')).toHaveLength(1)
    await page.context().close()
  })

  test('the sheet stays open without a message if the device declines', async () => {
    const { page, device } = await openWithDevice('/profile/security', await saver())
    await addPasskey(page)
    await device.cdp.send('WebAuthn.setUserVerified', {
      authenticatorId: device.id,
      isUserVerified: false,
    })
    await button(page, 'Make new codes').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click()
    await button(page, 'Confirm with a passkey').click()
    await expect
      .poll(() => button(page, 'Confirm with a passkey').getAttribute('aria-busy'))
      .toBe('false')
    expect(await page.getByText('Passkey not used').count()).toBe(0)
    await dialog(page, CONFIRMATION).waitFor()
    await page.context().close()
  })
})

const FAULT = {
  status: 500,
  json: { code: 'internal', message: 'Something went wrong on our side. Your money is safe.' },
}

test.each([
  ['/api/auth/passkeys/start', 'Add a passkey', 'Passkey not added'],
  ['/api/auth/authenticator/start', 'Set up an authenticator app', 'Authenticator app not added'],
])('reports a failure of %s', async (path, press, title) => {
  const { page } = await openWithDevice('/profile/security', await saver())
  await page.route(`**${path}`, (route) => route.fulfill(FAULT))
  await button(page, press).click()
  await says(page, title)
  await says(page, 'Please try again.')
  await page.context().close()
})

test('an address without a name offers an authenticator app instead of passkeys', async () => {
  const user = await saver()
  const page = await product.open('/profile/security', user)
  await page
    .getByText(
      'This browser or this address does not support passkeys. Use an authenticator app instead.',
    )
    .waitFor()
  expect(await button(page, 'Add a passkey').count()).toBe(0)
  const login = await product.open('/login')
  expect(await button(login, 'Sign in with a passkey').count()).toBe(0)
  await Promise.all([page, login].map((opened) => opened.context().close()))
})

/** States that the walk over all screens cannot reach, because its users have no second factor. */
test('each screen of the second factor is accessible, with 200 % text too', async () => {
  const findings: string[] = []
  const measure = async (page: Page, where: string) => {
    for (const { look, findings: found } of await measureLooks(page))
      findings.push(...found.map((finding) => `${where}, ${look}: ${finding}`))
  }
  const user = await saver()
  const { page, device } = await openWithDevice('/profile/security', user)
  const open = async (path: string) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(path)
  }
  await button(page, 'Add a passkey').click()
  await confirmPerson(page)
  await dialog(page, 'Your recovery codes').waitFor()
  await measure(page, 'recovery codes')
  await open('/profile/security')
  await page.getByText('10 codes are left').waitFor()
  await measure(page, 'with a passkey')
  await open('/profile/security')
  await button(page, /^Rename /).click()
  await measure(page, 'rename')
  await touch(device, false)
  await open('/profile/security')
  await button(page, /^Remove /)
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await dialog(page, CONFIRMATION).waitFor()
  await measure(page, 'proof')
  await page.context().clearCookies()
  await toSecondFactor(page, user)
  await measure(page, 'second factor at the log-in')
  await page.context().close()
  const offered = await product.world.user()
  await offered.deposit('100')
  const offer = await openWithDevice(
    `/?receipt=${(await offered.call('listTransactions')).items[0]?.id}`,
    offered,
  )
  await offer.page.getByRole('heading', { name: 'Protect your money' }).waitFor()
  await measure(offer.page, 'offer')
  await offer.page.context().close()
  expect(findings).toEqual([])
})

test('a browser that cannot suggest passkeys is silent until one is requested', async () => {
  const { page } = await openWithDevice('/help')
  await page.route('**/api/auth/passkeys/challenge', (route) => route.fulfill(FAULT))
  const suggested = page.waitForEvent('console', (message) =>
    message.text().startsWith('No passkey can be suggested'),
  )
  await page.goto('/login')
  await suggested
  expect(await page.getByText('Passkey not used').count()).toBe(0)
  await button(page, 'Sign in with a passkey').click()
  await says(page, 'Passkey not used')
  await page.context().close()
})
