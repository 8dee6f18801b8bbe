import { randomUUID } from 'node:crypto'
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EVENT_NAMES, type EventName } from '#contract/events.ts'
import { ACTIONS, type ActingName } from '#app/api/actions-table.ts'
import { changedBy, staleAfter } from '#app/api/follow-plan.ts'
import { FOLLOWED, type Read } from '#app/api/freshness.ts'
import { openFollower } from '#app/api/follow-events.ts'
import { listen, publish, type AppEvent } from '#server/events/bus.ts'
import {
  BANK_ACCOUNT,
  createWorld,
  PASSWORD,
  TEST_CARD,
  type TestUser,
  type World,
} from '../world/world.ts'

/**
 * The app's cache and its follower of events, with the events that the real server sends after each
 * action.
 */
let world: World
let ada: TestUser
let bots: Record<'shown' | 'served' | 'deleted', string>
const heard: AppEvent[] = []
let stop: () => Promise<void>

const BOT = {
  name: 'Steady',
  riskLevel: 'aggressive',
  tradingPairs: ['BTC/USDT', 'XRP/USDT'],
  investmentAmount: '100',
}
const createBot = async () => (await ada.call('createBot', { body: BOT })).id

beforeAll(async () => {
  world = await createWorld()
  ada = await world.user()
  await ada.deposit('5000')
  bots = { shown: await createBot(), served: await createBot(), deleted: await createBot() }
  await world.serve()
  stop = await listen(world.context.events, {
    onEvent: (event) => heard.push(event),
    onListening: () => undefined,
  })
})
afterAll(async () => {
  await stop()
  await world.close()
})

/**
 * Waits for this event; events arrive in the order of publication, so all earlier ones have arrived
 * too.
 */
async function eventsArrived(): Promise<void> {
  const end = [randomUUID()]
  await publish(world.context.sql, { name: 'engine-wanted', userIds: end })
  await expect.poll(() => heard.at(-1)?.userIds, { interval: 5 }).toEqual(end)
}

type Sent = { name: EventName; data: string }

/** The events sent to ada's browser because of an action. */
async function eventsOf(act: Act): Promise<Sent[]> {
  await eventsArrived()
  heard.length = 0
  await act()
  await eventsArrived()
  return heard.flatMap(({ name, userIds = [ada.id], data }) => {
    const known = EVENT_NAMES.find((each) => each === name)
    return known && userIds.includes(ada.id) ? [{ name: known, data: JSON.stringify(data) }] : []
  })
}

/** Every query that any event makes stale, as if one screen showed them all. */
const shown = (): Set<Read> =>
  new Set([
    ...FOLLOWED,
    ...(Object.keys(ACTS) as ActingName[]).flatMap((name) => changedBy(ACTIONS[name].changes)),
  ])

const ANSWER_MS = 200
/** When the events arrive, in milliseconds after the press. */
const ORDERS: Record<string, (place: number) => number> = {
  'long before the answer': () => 20,
  'around the answer': (place) => 190 + 5 * place,
  'after the answer': () => 350,
  'long after the answer': () => 1_100,
}

/** The requests of a page that shows all queries. */
async function requestsAfter(
  name: ActingName,
  { events, arriveMs }: { events: readonly Sent[]; arriveMs: (place: number) => number },
): Promise<Read[]> {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  })
  const asked: Read[] = []
  for (const query of shown())
    new QueryObserver(client, {
      queryKey: [query],
      queryFn: () => asked.push(query),
    }).subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(1)
  asked.length = 0
  const follower = openFollower(client)
  for (const [place, { name: event, data }] of events.entries())
    setTimeout(() => follower.event(event, data), arriveMs(place))
  void new MutationObserver(client, {
    mutationFn: () => new Promise((resolve) => setTimeout(resolve, ANSWER_MS, true)),
    onSuccess: () => follower.changed(ACTIONS[name].changes),
  }).mutate()
  await vi.advanceTimersByTimeAsync(60_000)
  follower.close()
  return asked.toSorted()
}

type Act = () => Promise<unknown>
const at = (id: string) => ({ params: { id } })

/** Replaces actions that need a device or a link from a message. */
const elsewhere = async (): Promise<Act> => () => Promise.resolve()
const noticed: Act = () => publish(world.context.sql, { name: 'notices', userIds: [ada.id] })

const addAccount = async () =>
  (
    await ada.call('addBankAccount', {
      body: { ...BANK_ACCOUNT, accountNumber: String(Math.floor(Math.random() * 1e9) + 1e9) },
    })
  ).id
const intent = () => ada.call('createPaymentIntent', { body: { amount: '30' } })
const paid = async () => {
  const { clientSecret, paymentIntentId } = await intent()
  await ada.call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
  return paymentIntentId
}
const withdraw = async () => {
  const [account] = await ada.call('listBankAccounts')
  const body = { amount: '20', bankAccountId: account?.id }
  return (await ada.call('requestWithdrawal', { body })).id
}
const wallet = async () => {
  const key = privateKeyToAccount(generatePrivateKey())
  const { message } = await ada.call('getWalletNonce', {
    query: { walletAddress: key.address, chainId: '1' },
  })
  const signature = await key.signMessage({ message })
  const body = {
    walletAddress: key.address,
    signature,
    message,
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  }
  return () => ada.call('verifyWallet', { body })
}

/** Prepares each action of the app, and returns it. */
const ACTS: Record<ActingName, () => Promise<Act>> = {
  createBot: async () => createBot,
  updateBot: async () => () => ada.call('updateBot', { ...at(bots.shown), body: { name: 'Calm' } }),
  topUpBot: async () => () => ada.call('topUpBot', { ...at(bots.shown), body: { amount: '20' } }),
  takeOutOfBot: async () => () =>
    ada.call('takeOutOfBot', { ...at(bots.served), body: { percent: 25 } }),
  setPlan: async () => () =>
    ada.call('setPlan', { ...at(bots.shown), body: { amount: '20', every: 'month' } }),
  endPlan: async () => () => ada.call('endPlan', at(bots.shown)),
  simulateBot: async () => () => ada.call('simulateBot', at(bots.shown)),
  deleteBot: async () => () => ada.call('deleteBot', at(bots.deleted)),
  stopAll: async () => () => ada.call('stopAll'),

  createPaymentIntent: async () => intent,
  payWithSandboxCard: async () => {
    const { clientSecret } = await intent()
    return () => ada.call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
  },
  confirmDeposit: async () => {
    const paymentIntentId = await paid()
    return () => ada.call('confirmDeposit', { body: { paymentIntentId, amount: '30' } })
  },

  addBankAccount: async () => addAccount,
  makeBankAccountDefault: async () => {
    const id = await addAccount()
    return () => ada.call('makeBankAccountDefault', at(id))
  },
  removeBankAccount: async () => {
    const id = await addAccount()
    return () => ada.call('removeBankAccount', at(id))
  },
  requestWithdrawal: async () => withdraw,
  cancelWithdrawal: async () => {
    const id = await withdraw()
    return () => ada.call('cancelWithdrawal', at(id))
  },
  updateProtections: async () => () =>
    ada.call('updateProtections', { body: { delayHours: 24, allowedOnly: false } }),

  readNotices: async () => () => ada.call('readNotices', { body: {} }),
  askHelp: async () => () => ada.call('askHelp', { body: { message: 'What does it cost?' } }),

  getWalletNonce: async () => () => ada.call('getWalletNonce'),
  verifyWallet: wallet,
  disconnectWallet: async () => {
    await (
      await wallet()
    )()
    const [linked] = await ada.call('listWallets')
    return () => ada.call('disconnectWallet', at(linked?.id ?? ''))
  },
  getWalletBalance: elsewhere,

  makeProof: async () => () => ada.prove('endOtherSessions'),
  endSession: async () => {
    await world.stranger().call('login', { body: { username: ada.username, password: PASSWORD } })
    const other = (await ada.call('listSessions')).find(({ isCurrent }) => !isCurrent)
    return () => ada.call('endSession', at(other?.id ?? ''))
  },
  endOtherSessions: async () => () => ada.call('endOtherSessions'),
  changePassword: elsewhere,
  startAuthenticator: async () => () => ada.call('startAuthenticator'),
  addAuthenticator: elsewhere,
  removeAuthenticator: elsewhere,
  renewRecoveryCodes: elsewhere,
  addPasskey: elsewhere,
  renamePasskey: elsewhere,
  removePasskey: elsewhere,
  makeKey: async () => () =>
    ada.call('makeKey', { body: { name: 'Sheet', scope: 'read', days: 30 } }),
  revokeKey: async () => {
    const { id } = await ada.call('makeKey', { body: { name: 'Old', scope: 'read', days: 30 } })
    return () => ada.call('revokeKey', at(id))
  },
  sendVerification: elsewhere,
  verifyEmail: async () => noticed,
  requestReset: async () => () => ada.call('requestReset', { body: { account: 'nobody-here' } }),
  resetPassword: elsewhere,
  disown: elsewhere,
}

test.each(Object.keys(ACTS) as ActingName[])(
  'after %s each query that the action changes is requested exactly once',
  async (name) => {
    const events = await eventsOf(await ACTS[name]())
    const changed = new Set([
      ...changedBy(ACTIONS[name].changes),
      ...events.flatMap((event) => staleAfter(event.name)),
    ])
    vi.useFakeTimers()
    try {
      for (const [order, arriveMs] of Object.entries(ORDERS))
        expect(await requestsAfter(name, { events, arriveMs }), `events ${order}`).toEqual(
          [...changed].toSorted(),
        )
    } finally {
      vi.useRealTimers()
    }
  },
)
