import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { createWorld, PASSWORD } from '../world/world.ts'
import { confirmPerson, CONFIRMATION } from './confirm-person.ts'
import { measureLooks } from './measures.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct(createWorld())
})
afterAll(() => product.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const says = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor()

test('a user downloads a copy of all data after a proof, and stays on the screen', async () => {
  const user = await product.world.user()
  await user.deposit('50')
  const page = await product.open('/profile/data', user)
  await button(page, 'Download my data').click()
  await page.getByRole('dialog', { name: CONFIRMATION }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    confirmPerson(page, PASSWORD),
  ])
  const copy = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    profile: { username: string }[]
    deposits: { amount: string }[]
  }
  expect([
    download.suggestedFilename(),
    copy.profile[0]?.username,
    copy.deposits[0]?.amount,
  ]).toEqual(['my-data.json', user.username, '50.00000000'])
  await says(page, 'Close your account')
  expect(new URL(page.url()).pathname).toBe('/profile/data')
  await page.close()
})

test('each obstacle to closing is listed, with a link to remove it', async () => {
  const user = await product.world.user()
  await user.deposit('50')
  const page = await product.open('/profile/data', user)
  await says(page, 'Before you can close it')
  expect(await button(page, 'Close my account').count()).toBe(0)
  await page.getByRole('link', { name: 'Withdraw', exact: true }).click()
  await page.waitForURL('**/withdraw')
  await page.close()
})

test('a user closes the empty account and is a visitor again; no sign-in works', async () => {
  const user = await product.world.user()
  const page = await product.open('/profile/data', user)
  await button(page, 'Close my account').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close it' }).click()
  await page.getByRole('dialog', { name: CONFIRMATION }).waitFor()
  await confirmPerson(page, PASSWORD)
  await page.waitForURL((url) => url.pathname === '/')
  await says(page, 'Account closed')
  await page.getByRole('link', { name: 'Start Trading Now' }).first().waitFor()
  expect((await user.ask('getUser')).status).toBe(401)
  await page.close()
})

/** Steps that a user can reach before the account is closed. */
const STATES: [string, (page: Page) => Promise<void>][] = [
  ['with the obstacles', async (page) => says(page, 'Before you can close it')],
  ['with the button', async (page) => button(page, 'Close my account').waitFor()],
  ['while it asks back', async (page) => button(page, 'Close my account').click()],
  [
    'while it asks who it is',
    async (page) =>
      button(page, 'Download my data')
        .click()
        .then(() => page.getByRole('dialog', { name: CONFIRMATION }).waitFor()),
  ],
]

test.each(STATES)('the screen %s is accessible and fits', async (name, reach) => {
  const user = await product.world.user()
  if (name === 'with the obstacles') await user.deposit('15')
  const page = await product.open('/profile/data', user)
  await reach(page)
  for (const { look, findings } of await measureLooks(page))
    expect([look, findings]).toEqual([look, []])
  await page.close()
})
