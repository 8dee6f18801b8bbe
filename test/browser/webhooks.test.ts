import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverNotices } from '#server/notices/deliver.ts'
import { httpsWebhooks } from '#server/notices/webhook-https.ts'
import {
  RECEIVER,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../emulators/webhook-receiver.ts'
import { openProduct, type Product } from '../spec/product.ts'
import { createWorld } from '../world/world.ts'
import { confirmPerson } from './confirm-person.ts'

let product: Product
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  const webhook = httpsWebhooks({ agent: receiver.agent })
  product = await openProduct(createWorld({ context: { webhook } }))
})
afterAll(async () => {
  await product.close()
  await receiver.close()
})

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

test('a user adds a webhook, sends a message again, and removes it', async () => {
  const ada = await product.world.user()
  const page = await product.open('/notice-settings', ada)
  await press(page, 'Add a webhook')
  const form = page.getByRole('dialog', { name: 'Webhook' })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Required', { exact: true }).first().waitFor()
  await form.getByLabel('Address').fill('https://127.0.0.1/')
  await form.getByRole('checkbox', { name: 'Deposits' }).check({ force: true })
  await form.getByRole('button', { name: 'Save' }).click()
  await says(page, 'Please enter a public https address.')
  await form.getByLabel('Address').fill(`${RECEIVER}/ada`)
  await form.getByRole('button', { name: 'Save' }).click()
  await confirmPerson(page)
  const shown = page.getByRole('dialog', { name: 'Secret of the webhook' })
  const secret = (await shown.getByText(/^whsec_/).textContent()) ?? ''
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await ada.deposit('20')
  await deliverNotices(product.world.context, 'webhook')
  const [message] = receiver.received
  new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {})
  await page.reload()
  expect(await page.content()).not.toContain('whsec_')
  await page.getByText('Last messages').click()
  await says(page, /sent · answer 200/)
  await press(page, /^Send again: Deposit received/)
  await says(page, /is being sent/)
  await deliverNotices(product.world.context, 'webhook')
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    message?.headers['webhook-id'],
    message?.headers['webhook-id'],
  ])
  await press(page, `Remove ${RECEIVER}/ada`)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  expect((await ada.call('listWebhooks')).webhooks).toHaveLength(1)
  await press(page, `Remove ${RECEIVER}/ada`)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await confirmPerson(page)
  await says(page, 'Webhook removed')
  await page.getByText(`${RECEIVER}/ada`, { exact: true }).waitFor({ state: 'detached' })
  expect((await ada.call('listWebhooks')).webhooks).toEqual([])
})
