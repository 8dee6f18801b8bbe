import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../spec/product.ts'
import { makeKey, outcomeOf } from '../program-keys/ask-with-key.ts'
import { confirmPerson } from './confirm-person.ts'
import { measureLooks } from './measures.ts'
import { createWorld } from '../world/world.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct(createWorld())
})
afterAll(() => product.close())

test('a user makes a key, sees it once, and revokes it', async () => {
  const user = await product.world.user()
  const page = await product.open('/profile/security', user)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button('Make a key').click()
  await page.getByRole('radio', { name: /create, pause/ }).check({ force: true })
  await page.getByRole('dialog').getByLabel('Name').fill('Script')
  await page.getByLabel('Amount for new bots a day').fill('100')
  expect((await measureLooks(page)).flatMap(({ findings }) => findings)).toEqual([])
  await button('Make the key').click()
  await confirmPerson(page)
  const shown = page.getByText(/^tbk_/)
  await shown.waitFor()
  const secret = await shown.innerText()
  expect(await outcomeOf(product.world, secret, 'listBots')).toEqual([200])
  await button('I have saved it').click()
  await page.getByText('Up to 3 bots, $100.00 a day').waitFor()
  await button('Revoke Script').click()
  await button('Revoke').last().click()
  await page.getByText('Key revoked').first().waitFor()
  expect(await outcomeOf(product.world, secret, 'listBots')).toEqual([401, 'key-invalid'])
})

test('a key that was revoked on another device leaves the list at a press', async () => {
  const user = await product.world.user()
  await makeKey(user)
  const page = await product.open('/profile/security', user)
  await page.getByRole('button', { name: 'Revoke Sheet' }).click()
  const [key] = await user.call('listKeys')
  await user.call('revokeKey', { params: { id: key?.id } })
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Key revoked').first().waitFor()
  await page.getByRole('button', { name: 'Revoke Sheet' }).waitFor({ state: 'detached' })
})
