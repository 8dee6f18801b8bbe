import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { CallRow } from '#contract/call-row.ts'
import {
  hasId,
  isAction,
  isProven,
  isRefusedToFrozen,
  rowOf,
  type ProvenName,
} from '#contract/calls.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { IdParams, Nothing } from '#contract/wire.ts'
import { required } from '#core/assert.ts'
import type { KeyRights } from '#core/auth/program-key.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import type { Call, Proof, SessionControl } from '#server/action.ts'
import { refuseFrozen } from '#server/auth/frozen.ts'
import { admittedKey } from '#server/auth/program-key.ts'
import { proofOf } from '#server/auth/proof.ts'
import { browserOf, sessionControl, sessionOf } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { bookOn } from '#server/db/book.ts'
import { isId } from '#server/kernel/ids.ts'
import { openTurns } from '#server/security/turns.ts'
import { accepts } from './by-quality.ts'
import { networkOf } from './caps.ts'
import { handlers } from './handlers.ts'
import { checkInput, checkTexts } from './problems.ts'

/** Keys chosen by clients: printable, at most 200 characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/

/**
 * Runs a user's actions one after the other in this process. Threat: they would wait for the same
 * database rows, and could occupy every connection. Only a flood reaches these limits. `msPerCost`:
 * a first guess.
 */
const ACTIONS = { limits: { underWay: 1_000, waiting: 5_000, waitingEach: 100 }, msPerCost: 20 }

/** Registers every route of the contract, with checks of its caller, its input and its answer. */
export function registerRoutes(app: FastifyInstance, context: Context): void {
  const turns = openTurns(ACTIONS)
  for (const name of Object.keys(routes) as RouteName[]) {
    const { method, path }: Route = routes[name]
    const row = rowOf(name)
    const handler = handlers[name] as AnyHandler
    app.route({
      method,
      url: path,
      config: { call: row },
      handler: async (request, reply) => {
        const call = await readCall(context, { name, request, reply, input: request })
        const act = () => handler(contextOf(context, name), call)
        const { userId: owner, gone } = call
        const answer =
          owner !== undefined && isAction(name)
            ? await turns.take({ owner, cost: 1, gone }, act)
            : await act()
        return isStream(answer)
          ? sendEvents(reply, { schema: row.response, events: answer })
          : sendAnswer(request, reply, { row, answer })
      },
    })
  }
}

type Input = Partial<Pick<FastifyRequest, 'params' | 'query' | 'body'>>

/** `input`: of the call. */
type Received = {
  name: RouteName
  request: FastifyRequest
  reply: FastifyReply
  input: Input
}

/** Makes a call that reads, for the sender of another request. */
export async function makeReadingCall(context: Context, received: Received): Promise<unknown> {
  const { name } = received
  const handler = handlers[name] as AnyHandler
  const answer = await handler(contextOf(context, name), await readCall(context, received))
  return rowOf(name).response.parse(answer)
}

async function readCall(
  context: Context,
  { name, request, reply, input: given }: Received,
): Promise<AnyCall> {
  const userId = await callerOf(context, { name, request })
  if (isRefusedToFrozen(name)) await refuseFrozen(context, required(userId, 'a signed-in user'))
  const session = sessionControl(context, { request, reply })
  const input = { ...checkRequest(name, given), userId }
  const key = admittedKey(request)
  if (key) refuseOtherFields(name, { key, body: given.body })
  const idempotency = idempotencyKey(request)
  const proof = isProven(name)
    ? await proofFor(context, { name, request, input, session })
    : undefined
  const [client, gone] = [clientOf(request), goneOf(reply)]
  return { ...input, idempotencyKey: idempotency, proof, client, session, gone, key }
}

type AnyCall = Checked &
  Pick<Call<RouteName>, 'idempotencyKey' | 'client' | 'session' | 'gone' | 'key'> & {
    proof: Proof | undefined
  }
type AnyHandler = (context: Context, call: AnyCall) => Promise<unknown>
type Checked = { params: unknown; body: unknown; userId: string | undefined }
type Proving = {
  name: ProvenName
  request: FastifyRequest
  input: Checked
  session: SessionControl
}

/** The proof named by the header `Proof`, for this very request. */
function proofFor(
  context: Context,
  { name, request, input: { params, body, userId }, session }: Proving,
): Promise<Proof> {
  const { proof: proofId } = request.headers
  return proofOf(context, {
    userId: required(userId, 'only routes for users need a proof'),
    session,
    proofId: typeof proofId === 'string' ? proofId : undefined,
    request: { action: name, id: idOf(params), body },
  })
}

function idOf(params: unknown): string | undefined {
  return typeof params === 'object' && params !== null && 'id' in params
    ? String(params.id)
    : undefined
}

/**
 * The context of a request. Requests that only read have their own connections, so that they do not
 * wait behind locks.
 */
export const contextOf = (context: Context, name: RouteName): Context =>
  routes[name].method === 'GET' && rowOf(name).writes !== true
    ? { ...context, ...bookOn(context.reads, context.seals) }
    : context

export function clientOf(request: FastifyRequest): Call<RouteName>['client'] {
  const { headers } = request
  return {
    address: networkOf(request.ip),
    userAgent: headers['user-agent'] ?? '',
    browser: browserOf(headers),
    origin: `${request.protocol}://${request.host}`,
  }
}

/** Aborted when the connection closes before the answer. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => raw.writableFinished || gone.abort())
  return gone.signal
}

async function callerOf(
  context: Context,
  { name, request }: Pick<Received, 'name' | 'request'>,
): Promise<string | undefined> {
  const { access } = rowOf(name)
  if (access === 'public' || access === 'session') return undefined
  const userId = (admittedKey(request) ?? (await sessionOf(context, request)))?.userId
  if (userId === undefined && access === 'user') throw new Refusal('not-signed-in')
  return userId
}

/** A key may send fewer fields than a session: it creates bots without plans, for instance. */
function refuseOtherFields(
  name: RouteName,
  { key: { scope }, body }: { key: KeyRights; body: unknown },
): void {
  const { keyFields = [] } = rowOf(name)
  for (const field of Object.keys(body ?? {}))
    if (!keyFields.includes(field)) throw new Refusal('key-scope', { field, values: { scope } })
}

function checkRequest(name: RouteName, input: Input) {
  const { query, body, id } = rowOf(name)
  const params = hasId(name) ? checkInput(IdParams, input.params) : undefined
  if (id !== 'name') refuseMalformedId(params, { isPair: id === 'pair' })
  const given = input.body === undefined ? {} : input.body
  const checkedBody = body ? checkTexts(body, given) : void checkInput(Nothing, given)
  return {
    params,
    query: checkTexts(query ?? Nothing, input.query),
    body: checkedBody,
  }
}

/** Answers a malformed id like an unknown one. */
function refuseMalformedId(params: unknown, { isPair }: { isPair: boolean }): void {
  const parts = idOf(params)?.split('.', 3) ?? []
  if (parts.length > (isPair ? 2 : 1) || !parts.every(isId)) throw new Refusal('not-found')
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new Refusal('invalid-input', {
      field: 'Idempotency-Key',
      sentence: t('An Idempotency-Key has 1 to 200 printable characters.'),
    })
  }
  return key
}

const compress = promisify(gzip)

/** Minimum characters of a compressed answer; shorter ones hardly shrink. */
const WORTH_COMPRESSING = 1_400

type Answered = { row: CallRow; answer: unknown }

/** Sends only fields of the contract, so that an unexpected field, our bug, never leaks. */
const sendAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  { row, answer }: Answered,
): Promise<FastifyReply> =>
  sendJson(request, reply, {
    text: JSON.stringify(row.response.parse(answer)),
    status: row.status ?? 200,
  })

/**
 * Compression reveals nothing by its length, because no answer has a secret beside text chosen by
 * somebody else.
 */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, status }: { text: string; status: number },
): Promise<FastifyReply> {
  const isCompressed =
    text.length >= WORTH_COMPRESSING && accepts(request.headers['accept-encoding'], 'gzip', ['*'])
  // The body is compressed before any header is set: while it waits for a thread, a plain refusal
  // may be sent instead.
  const body = isCompressed ? await compress(text) : text
  void reply
    .code(status)
    .type('application/json; charset=utf-8')
    .headers({
      'cache-control': 'no-store',
      vary: 'accept-encoding',
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    })
  return reply.send(body)
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/**
 * Streams events, each checked against the contract. Source: server-sent events, the HTML standard,
 * 9.2.
 */
function sendEvents(
  reply: FastifyReply,
  { schema, events }: { schema: z.ZodType; events: AsyncIterable<unknown> },
): FastifyReply {
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(linesOf(events, schema)))
}

async function* linesOf(events: AsyncIterable<unknown>, schema: z.ZodType): AsyncGenerator<string> {
  // A comment line, which shows proxies and the client at once that the response has started.
  yield ': one moment\n\n'
  for await (const event of events) yield `data: ${JSON.stringify(schema.parse(event))}\n\n`
}
