import type { ProvenName, ResponseOf } from '#contract/calls.ts'
import { routes, type RouteName } from '#contract/routes.ts'
import { BANK_ACCOUNT, cookieOf, PASSWORD, proofRequest, TEST_CARD } from '../world/world.ts'

/** The outcome of a call: a response, or none, after which it is unknown whether it was done. */
export type Ending<Name extends RouteName> =
  | {
      kind: 'answered'
      status: number
      body: ResponseOf<Name> & { code?: string; message?: string }
    }
  | { kind: 'unanswered'; reason: string }

export type Asked = {
  id?: string
  body?: unknown
  key?: string
  /**
   * The id of a proof. If it is missing, `ask` gets one with the password whenever the server
   * demands it.
   */
  proof?: string
  query?: Record<string, string>
}

/** A user who calls a running server over HTTP; the server may die at any moment. */
export type Client = {
  cookie: string
  ask: <Name extends RouteName>(name: Name, asked?: Asked) => Promise<Ending<Name>>
  /** Proves with the password that the user makes this call; returns the proof's id. */
  prove: (name: ProvenName, asked?: Asked) => Promise<string>
  /** Like `ask`, but fails unless the response is a success. */
  call: <Name extends RouteName>(name: Name, asked?: Asked) => Promise<ResponseOf<Name>>
  /**
   * Makes a payment that the provider has received and nobody has confirmed. Returns the intent.
   */
  pay: (amount: string) => Promise<string>
  deposit: (amount: string) => Promise<void>
  addBankAccount: () => Promise<string>
}

const ASK_TIMEOUT_MS = 30_000

export function clientOf(url: string, cookie: string): Client {
  const send: Client['ask'] = async (name, { id = '', body, key, proof, query } = {}) => {
    const { method, path } = routes[name]
    const address = new URL(path.replace(':id', encodeURIComponent(id)), url)
    for (const [field, value] of Object.entries(query ?? {})) address.searchParams.set(field, value)
    const headers = {
      'sec-fetch-site': 'same-origin',
      cookie,
      ...(key && { 'idempotency-key': key }),
      ...(proof && { proof }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    try {
      const answer = await fetch(address, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
      })
      return { kind: 'answered', status: answer.status, body: await answer.json() }
    } catch (error) {
      return {
        kind: 'unanswered',
        reason: error instanceof Error ? `${error.name} ${error.message}` : String(error),
      }
    }
  }
  const askProof = (action: string, { id, body }: Asked) =>
    send('makeProof', {
      body: proofRequest({ action, body, ...(id !== undefined && { params: { id } }) }),
    })
  const ask: Client['ask'] = async (name, asked = {}) => {
    const ending = await send(name, asked)
    if (
      ending.kind === 'unanswered' ||
      ending.body.code !== 'proof-required' ||
      asked.proof !== undefined
    )
      return ending
    const made = await askProof(name, asked)
    // If the proof was not answered, neither is the call.
    if (made.kind === 'unanswered') return made
    if (made.status !== 201) return { ...ending, status: made.status }
    return send(name, { ...asked, proof: made.body.id })
  }
  const prove: Client['prove'] = async (name, asked = {}) => {
    const made = await askProof(name, asked)
    if (made.kind === 'answered' && made.status === 201) return made.body.id
    throw new Error(`a proof of ${name} ended with ${JSON.stringify(made)}`)
  }
  const call: Client['call'] = async (name, asked) => {
    const ending = await ask(name, asked)
    if (ending.kind === 'answered' && ending.status < 300) return ending.body
    throw new Error(`${name} ended with ${JSON.stringify(ending)}`)
  }
  const pay: Client['pay'] = async (amount) => {
    const { clientSecret, paymentIntentId } = await call('createPaymentIntent', {
      body: { amount },
    })
    await call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
    return paymentIntentId
  }
  return {
    cookie,
    ask,
    prove,
    call,
    pay,
    deposit: async (amount) => {
      const paymentIntentId = await pay(amount)
      await call('confirmDeposit', { body: { paymentIntentId, amount } })
    },
    addBankAccount: async () => (await call('addBankAccount', { body: BANK_ACCOUNT })).id,
  }
}

let users = 0

/** Signs a new user up. */
export async function signUp(
  url: string,
  username = `user${process.pid}x${(users += 1)}`,
): Promise<Client> {
  const answer = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' }),
  })
  if (answer.status !== 201) throw new Error(`sign-up failed: ${await answer.text()}`)
  return clientOf(url, cookieOf(answer.headers.getSetCookie()))
}
