import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import type { ProvenName } from '#contract/calls.ts'
import type { EvidenceSummary } from '#contract/evidence.ts'
import { routes } from '#contract/routes.ts'
import { BANK_ACCOUNT, proofRequest, TEST_CARD } from '../world/world.ts'
import { noteInteractive } from '../spec/product.ts'
import { PHONE } from './chromium.ts'

/** A signed-out visitor, a user without any data, and a user with one of everything. */
export type Who = 'nobody' | 'newcomer' | 'customer'
export type People = Record<Who, BrowserContext> & { botId: string }

export const PASSWORD = 'a long password'

/**
 * Opens a browser context for each; service workers are blocked so that every request can be held
 * or failed.
 */
export async function openPeople(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<People> {
  const open = async () => {
    const context = await browser.newContext({
      ...PHONE,
      deviceScaleFactor: 1,
      baseURL,
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      ...options,
    })
    await noteInteractive(context)
    return context
  }
  const [nobody, newcomer, customer] = await Promise.all([open(), open(), open()])
  await send(newcomer, {
    path: '/api/auth/signup',
    body: { username: 'newcomer', password: PASSWORD, firstName: 'Nia', lastName: 'New' },
  })
  await send(customer, {
    path: '/api/auth/signup',
    body: {
      username: 'customer',
      password: PASSWORD,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
    },
  })
  await depositByCard(customer, '1000')
  await sendProven(customer, {
    path: '/api/bank-accounts',
    action: 'addBankAccount',
    body: BANK_ACCOUNT,
  })
  const bot = await send<{ id: string }>(customer, {
    path: '/api/trading-bots',
    body: {
      name: 'Steady BTC',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT'],
      investmentAmount: '300',
    },
  })
  await send(customer, {
    path: '/api/trading-bots',
    body: {
      name: 'A second one with a rather long name',
      riskLevel: 'conservative',
      tradingPairs: ['ETH/USDT'],
      investmentAmount: '50',
    },
  })
  await sendProven(customer, {
    path: '/api/withdrawal-requests',
    action: 'requestWithdrawal',
    body: { amount: '20' },
  })
  await signInElsewhere(browser, baseURL)
  await evidenceIsComputed(nobody)
  await helpIsIndexed(customer)
  return { nobody, newcomer, customer, botId: bot.id }
}

/**
 * Waits for the evidence: its figures are part of screens, whose states would otherwise depend on
 * the speed of the machine.
 */
async function evidenceIsComputed(context: BrowserContext): Promise<void> {
  const isComputed = async () => {
    const answer = await context.request.get(routes.getEvidenceSummary.path)
    return ((await answer.json()) as EvidenceSummary).state === 'figures'
  }
  while (!(await isComputed())) await setTimeout(500)
}

/**
 * Waits for the indexes of the help: each is built with the first question that needs it, and one
 * that no article answers needs all. On a busy machine that may take longer than an answer may.
 */
async function helpIsIndexed(context: BrowserContext): Promise<void> {
  const question = {
    data: { message: 'zzz' },
    headers: { 'sec-fetch-site': 'same-origin' },
  }
  const answers = async () =>
    (await context.request.post(routes.askHelp.path, question)).status() !== 503
  while (!(await answers())) await setTimeout(500)
}

export async function depositByCard(context: BrowserContext, amount: string): Promise<void> {
  const { clientSecret, paymentIntentId } = await send<{
    clientSecret: string
    paymentIntentId: string
  }>(context, {
    path: '/api/create-payment-intent',
    body: { amount },
  })
  await send(context, { path: '/api/sandbox/card-payments', body: { clientSecret, ...TEST_CARD } })
  await send(context, { path: '/api/confirm-deposit', body: { paymentIntentId, amount } })
}

/** Two more sessions of the customer, on other devices. */
async function signInElsewhere(browser: Browser, baseURL: string): Promise<void> {
  for (const userAgent of [
    'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    '',
  ]) {
    const elsewhere = await browser.newContext({ baseURL, userAgent })
    await send(elsewhere, {
      path: '/api/auth/login',
      body: { username: 'customer', password: PASSWORD },
    })
    await elsewhere.close()
  }
}

type Sending = { path: string; body: object; headers?: Record<string, string> }

async function send<Answer>(
  context: BrowserContext,
  { path, body, headers = {} }: Sending,
): Promise<Answer> {
  const answer = await context.request.post(path, {
    data: body,
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json() as Promise<Answer>
}

/** Sends a proof with the password, then the call. */
async function sendProven(
  context: BrowserContext,
  { action, ...sending }: Sending & { action: ProvenName },
): Promise<void> {
  const body = proofRequest({ action, body: sending.body, password: PASSWORD })
  const { id } = await send<{ id: string }>(context, { path: routes.makeProof.path, body })
  await send(context, { ...sending, headers: { proof: id } })
}
