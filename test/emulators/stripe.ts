import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { StripeBook } from './stripe/book.ts'
import { readParameters, type Parameters } from './stripe/parameters.ts'
import { invalid, StripeProblem } from './stripe/problem.ts'
import { ROUTES } from './stripe/routes.ts'

export const STRIPE_KEYS = {
  test: { secret: 'sk_test_of_the_emulator', publishable: 'pk_test_of_the_emulator' },
  live: { secret: 'sk_live_of_the_emulator', publishable: 'pk_live_of_the_emulator' },
  webhook: 'whsec_of_the_emulator',
} as const

/**
 * `lost`: processed, but the response never arrives. `late`: not even processed before `arrive`.
 * `heldUntil`: processed at once, answered later. `problem`: refused in place of being processed.
 */
export type StripeAnswer =
  | { status: 429 | 500 | 503 }
  | { lost: true }
  | { late: true }
  | { heldUntil: Promise<void> }
  | { problem: StripeProblem }

/** Faults for the next requests. */
export type StripeFault = { times: number } & StripeAnswer
type AnswerOf = (request: { path: string; text: string }) => StripeAnswer | undefined

export type StripeEmulator = {
  url: string
  test: StripeBook
  live: StripeBook
  /** Every request received: method, path and idempotency key. */
  asked: readonly { method: string; path: string; key: string | undefined; replayed: boolean }[]
  fail: (fault: StripeFault) => void
  /** Decides about each request that `fail` does not concern. */
  answerBy: (answerOf: AnswerOf) => void
  /** Processes requests that were late. */
  arrive: () => void
  close: () => Promise<void>
}

type Kept = { hash: string; status: number; body: string }
type Mode = 'test' | 'live'
type Caller = { mode: Mode; isPublishable: boolean }

/**
 * A local emulator of Stripe's HTTP interface, as far as the product uses it and equally strict:
 * keys and their mode, idempotency keys, parameters, the states of a payment, lists in pages. What
 * it emits is in stripe/objects.ts; webhooks are sent by stripe/webhooks.ts.
 */
export async function startStripe({
  now = () => new Date(),
}: { now?: () => Date } = {}): Promise<StripeEmulator> {
  const books = {
    test: new StripeBook({ livemode: false, now }),
    live: new StripeBook({ livemode: true, now }),
  }
  const asked: { method: string; path: string; key: string | undefined; replayed: boolean }[] = []
  const kept = new Map<string, Kept>()
  const late: Question['late'] = new Map()
  let fault: StripeFault | undefined
  let answerBy: AnswerOf = () => undefined
  let url = ''
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request)
    const { pathname, search } = new URL(request.url ?? '/', url)
    if (pathname.startsWith('/ask/')) return answerBank(books, { pathname, search, response })
    const key = request.headers['idempotency-key']?.toString()
    const planned = fault !== undefined && fault.times > 0 ? fault : undefined
    if (planned) planned.times -= 1
    const current = planned ?? answerBy({ path: pathname, text })
    if (current && 'status' in current)
      return send(response, { status: current.status, body: faultBody(current.status) })
    const query = request.method === 'GET' ? search.slice(1) : text
    const problem = current && 'problem' in current ? current.problem : undefined
    const question = { request, pathname, text: query, key, books, kept, url, late, problem }
    if (current && 'late' in current) {
      late.set(key, question)
      return void response.destroy()
    }
    const { replayed, ...answer } = answerOnce(question)
    asked.push({ method: request.method ?? '', path: pathname, key, replayed })
    if (current && 'lost' in current) return void response.destroy()
    if (current && 'heldUntil' in current) await current.heldUntil
    return send(response, { ...answer, replayed })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url,
    ...books,
    asked,
    fail: (next) => (fault = next),
    answerBy: (next) => (answerBy = next),
    arrive: () => {
      const arrived = [...late.values()]
      late.clear()
      for (const question of arrived) answerOnce(question)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Question = {
  request: IncomingMessage
  pathname: string
  text: string
  key: string | undefined
  books: Record<Mode, StripeBook>
  kept: Map<string, Kept>
  url: string
  /** Late requests by key. A key is in use until its request has arrived. */
  late: Map<string | undefined, Question>
  problem: StripeProblem | undefined
}

/** Refusals of Stripe's front door, which comes before idempotency keys. */
const AT_THE_DOOR: readonly number[] = [401, 403, 429]

/**
 * A repeated key with the same request gets the stored answer; with another request it is refused.
 * Refusals of the request itself are not stored.
 */
function answerOnce(question: Question): { status: number; body: string; replayed: boolean } {
  const { request, pathname, text, key, kept, late, problem } = question
  try {
    if (problem && AT_THE_DOOR.includes(problem.status)) throw problem
    const caller = callerOf(request, text)
    const name = `${caller.mode} ${key}`
    const hash = createHash('sha256').update(`${request.method} ${pathname} ${text}`).digest('hex')
    const earlier = key === undefined || request.method === 'GET' ? undefined : kept.get(name)
    if (earlier && earlier.hash !== hash) throw keyReused(key)
    if (earlier) return { status: earlier.status, body: earlier.body, replayed: true }
    if (key !== undefined && late.has(key)) throw keyInUse(key)
    if (problem) throw problem
    const { status, body } = execute(question, caller)
    if (key !== undefined && request.method !== 'GET') kept.set(name, { hash, status, body })
    return { status, body, replayed: false }
  } catch (error) {
    if (!(error instanceof StripeProblem)) throw error
    return { status: error.status, body: JSON.stringify(error.body), replayed: false }
  }
}

const keyInUse = (key: string): StripeProblem =>
  new StripeProblem(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using the key '${key}'.`,
  })

function keyReused(key: string | undefined): StripeProblem {
  return new StripeProblem(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
      `used with. Try using a key other than '${key}' if you meant to execute a different ` +
      'request.',
  })
}

function execute(
  { request, pathname, text, books, url }: Question,
  { mode, isPublishable }: Caller,
): { status: number; body: string } {
  const route = ROUTES.find(({ method, path }) => method === request.method && path.test(pathname))
  if (route === undefined)
    throw new StripeProblem(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${request.method}: ${pathname}).`,
    })
  if (isPublishable && !route.isPublic) {
    throw new StripeProblem(401, {
      type: 'invalid_request_error',
      message:
        'This API call cannot be made with a publishable API key. Please use a secret API key.',
    })
  }
  const isJson = pathname.startsWith('/v2/') && request.method === 'POST'
  const parameters: Parameters = isJson ? {} : readParameters(text)
  const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
  const account = request.headers['stripe-context']?.toString()
  delete parameters['key']
  const [, id = ''] = route.path.exec(pathname) ?? []
  const other = books[mode === 'test' ? 'live' : 'test']
  try {
    const answer = route.answer({
      book: books[mode],
      other,
      parameters,
      json,
      account,
      id,
      origin: url,
      isPublishable,
    })
    return { status: 200, body: JSON.stringify(answer) }
  } catch (error) {
    // A refused card is a result of the operation, which a retry under its key must repeat.
    if (error instanceof StripeProblem && error.status === 402)
      return { status: 402, body: JSON.stringify(error.body) }
    throw error
  }
}

/**
 * A secret key as Bearer or as the user of Basic; a publishable key also as the parameter `key`, as
 * browsers send it.
 */
function callerOf(request: IncomingMessage, text: string): Caller {
  const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ')
  const basic = Buffer.from(value, 'base64').toString().replace(/:$/, '')
  const key =
    scheme === 'Bearer'
      ? value
      : scheme === 'Basic'
        ? basic
        : (new URLSearchParams(text).get('key') ?? '')
  if (key === '') {
    throw new StripeProblem(401, {
      type: 'invalid_request_error',
      message:
        'You did not provide an API key. You need to provide your API key in the ' +
        'Authorization header, using Bearer auth.',
    })
  }
  for (const mode of ['test', 'live'] as const) {
    if (key === STRIPE_KEYS[mode].secret) return { mode, isPublishable: false }
    if (key === STRIPE_KEYS[mode].publishable) return { mode, isPublishable: true }
  }
  throw new StripeProblem(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${key.slice(0, 8)}****`,
  })
}

/**
 * The bank's confirmation page; `?agree=yes` or no redirects back to the payment, like 3-D Secure.
 */
function answerBank(
  books: Record<Mode, StripeBook>,
  { pathname, search, response }: { pathname: string; search: string; response: ServerResponse },
): void {
  const intent =
    books.test.intents.get(pathname.slice('/ask/'.length)) ??
    books.live.intents.get(pathname.slice('/ask/'.length))
  if (intent === undefined) return send(response, { status: 404, body: '{}' })
  const book = intent.livemode ? books.live : books.test
  const answer = new URLSearchParams(search).get('agree')
  if (answer === null)
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(QUESTION)
  const agrees = answer === 'yes'
  const returnUrl = intent.next_action?.redirect_to_url.return_url ?? '/'
  book.authenticate(intent, agrees)
  const back = new URL(returnUrl)
  back.searchParams.set('payment_intent', intent.id)
  back.searchParams.set('payment_intent_client_secret', intent.client_secret)
  back.searchParams.set('redirect_status', agrees ? 'succeeded' : 'failed')
  response.writeHead(303, { location: back.href }).end()
}

const QUESTION =
  '<!doctype html><title>Bank</title><h1>Is this you?</h1><a href="?agree=yes">Yes, pay</a> ' +
  '<a href="?agree=no">No</a>'

function faultBody(status: 429 | 500 | 503): string {
  const code = status === 429 ? { code: 'rate_limit' } : {}
  return JSON.stringify({
    error: {
      type: status === 429 ? 'invalid_request_error' : 'api_error',
      message: 'The emulator was told to fail.',
      ...code,
    },
  })
}

function send(
  response: ServerResponse,
  { status, body, replayed = false }: { status: number; body: string; replayed?: boolean },
): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${randomBytes(7).toString('hex')}`,
      'access-control-allow-origin': '*',
      ...(replayed && { 'idempotent-replayed': 'true' }),
    })
    .end(body)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (chunks.length > 1_000) throw invalid('The request is too large.')
  // Yields once, like a real network, so that parallel calls really overlap.
  await delay(0)
  return Buffer.concat(chunks).toString()
}
