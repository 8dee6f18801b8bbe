import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealAccount } from '#server/security/account-seal.ts'
import { prepareResets } from '#server/auth/request-reset.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { readMailbox } from '#server/notices/mailbox.ts'
import { openProduct, waitUntilInteractive, type Product } from '../spec/product.ts'
import { createWorld, type TestUser } from '../world/world.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct(createWorld({ config: { WITHDRAWAL_HOLD_HOURS: 24 } }))
})
afterAll(() => product.close())

async function open(path: string, user?: TestUser): Promise<Page> {
  const page = await product.open(path, user)
  await waitUntilInteractive(page)
  return page
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? 'BODY')
const unread = (page: Page) => page.locator('[data-unread]')

test('the bell counts new notices, the inbox lists them by day, a row opens one', async () => {
  const ada = await product.world.user()
  await ada.deposit('500')
  await ada.addBankAccount()
  const page = await open('/', ada)
  await page.getByRole('link', { name: '2 new notifications' }).click()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  await expect.poll(() => unread(page).count()).toBe(2)
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1)
  await page
    .getByRole('link', { name: /Deposit received.*\$500\.00 was added to your balance\./ })
    .click()
  await page.getByRole('dialog').getByText('Exact figures and ledger lines').waitFor()
  await page.goBack()
  await page.goBack()
  await expect.poll(() => unread(page).count()).toBe(1)
  await page.context().close()
})

test('all notices are marked as read at once, and the focus stays in the list', async () => {
  const ada = await product.world.user()
  await ada.deposit('500')
  const page = await open('/notices', ada)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.poll(() => unread(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('DIV')
  expect((await ada.call('getUser')).unreadNotices).toBe(0)
  await page.context().close()
})

test('a new notice appears in the open inbox, without a reload', async () => {
  const ada = await product.world.user()
  const page = await open('/notices', ada)
  await page.getByText('Nothing yet').waitFor()
  await ada.deposit('500')
  await page.getByText('Deposit received').waitFor()
  await page.context().close()
})

test('the chosen topics are stored, and security is shown as fixed', async () => {
  const ada = await product.world.user()
  const page = await open('/profile', ada)
  await page.getByRole('link', { name: 'Choose your notifications' }).click()
  const mail = page.getByRole('checkbox', { name: 'Deposits: Email' })
  await mail.uncheck()
  await expect
    .poll(
      async () =>
        (await ada.call('getNoticeSettings')).topics.find(({ topic }) => topic === 'deposits')
          ?.mail,
    )
    .toBe(false)
  expect(await page.getByRole('checkbox', { name: 'Security: Email' }).isDisabled()).toBe(true)
  await page.getByLabel('Notify me at a loss of').fill('25')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Loss limit saved').first().waitFor()
  expect((await ada.call('getNoticeSettings')).lossLimit).toBe('25.00')
  await page.reload()
  expect(await mail.isChecked()).toBe(false)
  await page.context().close()
})

test('an address is verified by a mailed link, and can then reset the password', async () => {
  const { context } = product.world
  const ada = await product.world.user()
  const page = await open('/profile', ada)
  await page.getByRole('button', { name: 'Add email' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email', { exact: true }).fill('ada@example.com')
  await dialog.getByLabel('Current password', { exact: true }).fill('correct horse battery')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not verified').waitFor()
  await deliverNotices(context, 'mail')
  await page.getByRole('link', { name: /^Read your messages/ }).click()
  await page.getByRole('link', { name: '/verify-email' }).click()
  await page.getByRole('button', { name: 'Verify this address' }).click()
  await page.getByRole('heading', { name: 'Address verified' }).waitFor()
  await expect.poll(() => focused(page)).toBe('DIV')
  await page.goto('/profile')
  await page.getByText('Verified', { exact: true }).waitFor()
  await page.context().close()

  const visitor = await open('/login')
  await visitor.getByRole('link', { name: 'Forgot your password?' }).click()
  await visitor.getByLabel('Username or email').fill('ADA@example.com')
  await visitor.getByRole('button', { name: 'Send the link' }).click()
  await visitor.getByRole('heading', { name: 'Check your email' }).waitFor()
  await prepareResets(context)
  await deliverNotices(context, 'mail')
  const [message] = await readMailbox(context, { userId: ada.id, withResets: true, limit: 1 })
  await visitor.goto(/\/reset-password#\S+/.exec(message?.text ?? '')?.[0] ?? '')
  await visitor.getByLabel('New password', { exact: true }).fill('another long password')
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await visitor.getByRole('heading', { name: 'Sign in' }).waitFor()
  await visitor.getByLabel('Username').fill(ada.username)
  await visitor.getByLabel('Password', { exact: true }).fill('another long password')
  await visitor.getByRole('button', { name: 'Sign In' }).click()
  await visitor
    .getByText(/^Welcome back, /)
    .first()
    .waitFor()
  await visitor.goto('/withdraw')
  await visitor
    .getByRole('listitem')
    .filter({ hasText: /^Sent from .+ on.*Your password was reset\./ })
    .waitFor()
  await visitor.context().close()
})

test('"This was not me", pressed in a signed-out browser, locks the account', async () => {
  const { context } = product.world
  const ada = await product.world.user()
  await context.sql`update users set email = 'lock@example.com', email_verified_at = now()
    where id = ${ada.id}`
  await context.sql`insert into emails (email_key, user_id) values ('lock@example.com', ${ada.id})`
  await sealAccount(context, ada.id)
  await ada.addBankAccount()
  await deliverNotices(context, 'mail')
  const [message] = await readMailbox(context, { userId: ada.id, withResets: false, limit: 1 })
  const visitor = await open(/\/not-me#\S+/.exec(message?.text ?? '')?.[0] ?? '')
  expect((await ada.ask('listBots')).status, 'opening the link does nothing').toBe(200)
  await visitor.getByText('Bank account removed: First Bank ••6789').waitFor()
  await visitor.getByText('You set a new password with a link sent to lo•••@example.com.').waitFor()
  await visitor.getByRole('button', { name: 'Lock my account' }).click()
  await visitor.getByRole('heading', { name: 'Your account is locked' }).waitFor()
  await expect.poll(() => focused(visitor)).toBe('DIV')
  expect((await ada.ask('listBots')).status).toBe(401)
  await visitor.context().close()
})

const LINKED = [
  { path: '/verify-email', press: 'Verify this address', leadsTo: '/' },
  { path: '/reset-password', press: 'Set password', leadsTo: '/forgot-password' },
  { path: '/not-me', press: 'Lock my account', leadsTo: '/forgot-password' },
]

test.each(LINKED)(
  '$path of an expired link shows what to do, and claims nothing before its scripts',
  async ({ path, press, leadsTo }) => {
    const dead = /This link no longer works/
    for (const token of ['', '#made.up']) {
      const page = await open(path + token)
      const button = page.getByRole('button', { name: press })
      // The preview of what a press would undo already shows that the link is dead.
      if (token !== '' && path !== '/not-me') {
        if (path === '/reset-password')
          await page.getByLabel('New password', { exact: true }).fill('another long password')
        await button.click()
      }
      const leads = page.getByRole('alert').filter({ hasText: dead }).getByRole('link')
      expect({
        token,
        leads: await leads.getAttribute('href'),
        buttons: await button.count(),
      }).toEqual({ token, leads: leadsTo, buttons: 0 })
      await page.context().close()
    }
    const early = await product.open(`${path}#some.token`, undefined, { javaScriptEnabled: false })
    expect(await early.getByText(dead).count()).toBe(0)
    await early.getByRole('button', { name: press }).waitFor()
    await early.context().close()
  },
)

test('the service worker shows a push message, which a repetition replaces', async () => {
  const page = await product.open('/', await product.world.user(), { serviceWorkers: 'allow' })
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const [worker] = page.context().serviceWorkers()
  const data = JSON.stringify({
    title: 'Deposit received',
    text: 'Deine Einzahlung ist im Guthaben.',
    lang: 'de',
    tag: 'one',
    path: '/history',
  })
  // A browser without a desktop shows no notifications: what the worker asks it to show is noted
  // instead.
  const shown = await worker?.evaluate(async (text) => {
    const scope = globalThis as unknown as {
      registration: { showNotification: unknown }
      dispatchEvent: (event: Event) => void
      PushEvent: new (type: string, init: { data: string }) => Event
    }
    const asked: unknown[] = []
    scope.registration.showNotification = async (
      title: string,
      { body, lang, tag, data: path }: { body: string; lang: string; tag: string; data: string },
    ) => void asked.push({ title, body, lang, tag, path })
    for (let times = 0; times < 2; times += 1)
      scope.dispatchEvent(new scope.PushEvent('push', { data: text }))
    await new Promise((done) => setTimeout(done, 200))
    return asked
  }, data)
  const one = {
    title: 'Deposit received',
    body: 'Deine Einzahlung ist im Guthaben.',
    lang: 'de',
    tag: 'one',
    path: '/history',
  }
  expect(shown).toEqual([one, one])
  await page.context().close()
})
