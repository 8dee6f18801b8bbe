import type { Page } from 'playwright-core'
import type { Webhooks } from '#contract/notices.ts'
import type { ProgramKey } from '#contract/program-keys.ts'
import { routes } from '#contract/routes.ts'
import { waitUntilInteractive } from '../spec/product.ts'

/** States of keys and webhooks that no test server reaches by itself: no receiver is public. */

const AT = '2026-11-02T09:30:00.000Z'
const idOf = (number: number) => `01890000-0000-7000-8000-00000000000${number}`

const KEYS: readonly ProgramKey[] = [
  {
    id: idOf(1),
    name: 'Daily script',
    scope: 'bots',
    networks: ['203.0.113.0/24', '2001:db8::/32'],
    mostBots: 3,
    dailyAmount: '250.00',
    createdAt: AT,
    expiresAt: '2027-01-31T09:30:00.000Z',
    lastUsedAt: AT,
  },
]

const MESSAGE = { webhookId: idOf(1), kind: 'deposit', attempts: 1, createdAt: AT } as const

const WEBHOOKS: Webhooks = {
  webhooks: [
    {
      id: idOf(1),
      address: 'https://hooks.bots-receiver.com/ada',
      topics: ['deposits', 'withdrawals', 'bots'],
      createdAt: AT,
      failingSince: null,
      isOn: true,
    },
    {
      id: idOf(2),
      address: 'https://sheet.bots-receiver.com/',
      topics: ['security'],
      createdAt: AT,
      failingSince: AT,
      isOn: true,
    },
    {
      id: idOf(3),
      address: 'https://old.bots-receiver.com/',
      topics: ['deposits'],
      createdAt: AT,
      failingSince: AT,
      isOn: false,
    },
  ],
  messages: [
    { ...MESSAGE, id: idOf(4), state: 'sent', answer: 200, nextAt: null },
    { ...MESSAGE, id: idOf(5), state: 'waiting', answer: null, nextAt: AT, attempts: 3 },
    { ...MESSAGE, id: idOf(6), state: 'given-up', answer: 500, nextAt: null, attempts: 8 },
  ],
}

/** Answers calls of this path, then opens the screen again. */
async function answering(page: Page, path: string, answer: (method: string) => unknown) {
  await page.route(`**${path}`, (route) =>
    route.fulfill({ json: answer(route.request().method()) }),
  )
  await page.reload()
  await waitUntilInteractive(page)
}

export const seeKeys = (page: Page): Promise<void> =>
  answering(page, routes.listKeys.path, (method) =>
    method === 'GET' ? KEYS : { id: idOf(1), secret: `tbk_${'k3Ya'.repeat(21)}k3` },
  )

export async function seeNewKey(page: Page): Promise<void> {
  await seeKeys(page)
  await page.getByRole('button', { name: 'Make a key', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Sheet')
  await form.getByRole('button', { name: 'Make the key', exact: true }).click()
}

export const seeWebhooks = (page: Page): Promise<void> =>
  answering(page, routes.listWebhooks.path, (method) =>
    method === 'GET' ? WEBHOOKS : { ...WEBHOOKS, secret: `whsec_${'s3Cr'.repeat(11)}` },
  )

export async function seeMessages(page: Page): Promise<void> {
  await seeWebhooks(page)
  await page.getByText('Last messages').click()
}

export async function seeNewSecret(page: Page): Promise<void> {
  await seeWebhooks(page)
  await page.getByRole('button', { name: 'Add a webhook', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Address', { exact: true }).fill('https://hooks.bots-receiver.com/')
  await form.getByRole('checkbox', { name: 'Deposits' }).check({ force: true })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
}
