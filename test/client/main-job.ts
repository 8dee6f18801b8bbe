import createClient from 'openapi-fetch'
// Written by the test from the description that the server gives.
import type { components, paths } from '../output/client/paths.ts'

const PASSWORD = 'correct horse battery'
const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' }

/** As another program does it: the compiler knows each call by its generated types alone. */
export async function doMainJob(baseUrl: string, letHoursPass: () => Promise<void>) {
  const api = openClient(baseUrl)
  const name = { firstName: 'Grace', lastName: 'Hopper' }
  done(
    await api.POST('/api/auth/signup', {
      body: { username: 'grace', password: PASSWORD, ...name },
    }),
  )
  const { availableBalance } = await deposit(api, '1000')
  const poor = await makeBot(api, { amount: '2000', key: 'too-much' })
  const { id } = done(await makeBot(api, { amount: '600', key: 'first' }))
  const again = done(await makeBot(api, { amount: '600', key: 'first' }))
  await letHoursPass()
  const { items: trades } = done(
    await api.GET('/api/trading-bots/{id}/trades', { params: { path: { id } } }),
  )
  const { bots } = done(await api.GET('/api/portfolio'))
  const withKey = await askWithKey(api, baseUrl)
  const withdrawal = await withdraw(api, '100')
  const { items: history } = done(await api.GET('/api/transactions'))
  return {
    availableBalance,
    refusal: poor.error?.code,
    isSameBot: again.id === id,
    botsWorth: bots.map((bot) => bot.equity),
    hasReasons: trades.length > 0 && trades.every(({ reason }) => reason.length > 0),
    withKey,
    withdrawn: withdrawal.amount,
    history: [...new Set(history.map(({ type }) => type))].toSorted(),
  }
}

type Client = ReturnType<typeof openClient>

/** A client that keeps the cookie of its session and names its origin, as browsers do. */
function openClient(baseUrl: string) {
  const api = createClient<paths>({ baseUrl })
  let cookie = ''
  api.use({
    onRequest: ({ request }) => {
      request.headers.set('origin', baseUrl)
      request.headers.set('cookie', cookie)
    },
    onResponse: ({ response }) => {
      cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    },
  })
  return api
}

function done<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

async function deposit(api: Client, amount: string) {
  const begun = await api.POST('/api/create-payment-intent', { body: { amount } })
  const { clientSecret, paymentIntentId } = done(begun)
  done(await api.POST('/api/sandbox/card-payments', { body: { clientSecret, ...CARD } }))
  return done(await api.POST('/api/confirm-deposit', { body: { paymentIntentId } }))
}

const makeBot = (api: Client, { amount, key }: { amount: string; key: string }) =>
  api.POST('/api/trading-bots', {
    params: { header: { 'Idempotency-Key': key } },
    body: {
      name: 'First',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'ETH/USDT'],
      investmentAmount: amount,
    },
  })

type Action = components['schemas']['MakeProofRequest']['action']

/** The header of a call with this body. */
async function prove(api: Client, action: Action, request: object) {
  const made = await api.POST('/api/auth/proofs', { body: { action, request, password: PASSWORD } })
  return { header: { Proof: done(made).id } }
}

/** Another program of the same user, which has a key alone. */
async function askWithKey(api: Client, baseUrl: string) {
  const body = { name: 'Sheet', scope: 'read', days: 30 } as const
  const made = await api.POST('/api/program-keys', {
    params: await prove(api, 'makeKey', body),
    body,
  })
  const headers = { authorization: `Bearer ${done(made).secret}` }
  const program = createClient<paths>({ baseUrl, headers })
  const refused = await makeBot(program, { amount: '20', key: 'by-key' })
  return { bots: done(await program.GET('/api/trading-bots')).length, refused: refused.error?.code }
}

async function withdraw(api: Client, amount: string) {
  const account = {
    bankName: 'First Bank',
    accountNumber: '000123456789',
    routingNumber: '021000021',
    accountType: 'checking',
  } as const
  const added = await api.POST('/api/bank-accounts', {
    params: await prove(api, 'addBankAccount', account),
    body: account,
  })
  const request = { amount, bankAccountId: done(added).id }
  const params = await prove(api, 'requestWithdrawal', request)
  return done(await api.POST('/api/withdrawal-requests', { params, body: request }))
}
