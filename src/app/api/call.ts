import type { InputOf } from '#contract/query-key.ts'
import { routes, type CallName, type RouteName } from '#contract/routes.ts'
import type { ResponseOf } from '#contract/calls.ts'
import type { Problem } from '#contract/wire.ts'
import { language, LANGUAGE_HEADER } from '#words/language.ts'
import { msg } from '#words/words.ts'

export type CallRequest<Name extends RouteName> = InputOf<Name> & {
  /** One key per attempt of a money action, so that a repeated request acts once. */
  idempotencyKey?: string
  /** Id of a proof of identity. */
  proof?: string
  signal?: AbortSignal
}

type Sent = {
  params?: object
  query?: object
  body?: unknown
  idempotencyKey?: string
  proof?: string
  signal?: AbortSignal
}

const TIMEOUT_MS = 30_000

export const LATE = msg('This takes longer than usual.')

/**
 * Why a call did not succeed. `message`: for people; empty unless `isOurs`, because the answer may
 * be a proxy's or missing (status 0). `logMessage`: '{status}: {body}'.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  readonly isOurs: boolean
  /**
   * Whether the answer is late, here or at a proxy. The server may be reachable, and may still act.
   */
  readonly isLate: boolean
  readonly logMessage: string

  constructor({
    status,
    body,
    isLate = status === 504,
  }: {
    status: number
    body: string
    isLate?: boolean
  }) {
    const problem = readProblem(body)
    super(problem?.message ?? '')
    this.status = status
    this.code = problem?.code ?? 'unknown'
    this.field = problem?.field
    this.isOurs = problem !== undefined
    this.isLate = isLate || this.code === 'takes-long'
    this.logMessage = `${status}: ${body}`
  }
}

export async function call<Name extends CallName>(
  name: Name,
  request: CallRequest<Name>,
): Promise<ResponseOf<Name>> {
  const text = await textOf(await respond(name, request))
  try {
    return JSON.parse(text || '{}')
  } catch {
    // Not JSON: networks with a sign-in page answer every request with that page.
    throw new ApiError({ status: 0, body: text })
  }
}

export async function respond<Name extends RouteName>(
  name: Name,
  request: CallRequest<Name>,
): Promise<Response> {
  const { method } = routes[name]
  const sent: Sent = request
  const response = await answerTo(addressOf(name, sent), {
    method,
    credentials: 'same-origin',
    headers: headersFor(sent),
    signal: AbortSignal.any([
      AbortSignal.timeout(TIMEOUT_MS),
      ...(sent.signal ? [sent.signal] : []),
    ]),
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  })
  if (response.ok) return response
  throw new ApiError({
    status: response.status,
    body: (await textOf(response)) || response.statusText,
  })
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'wrong-credentials'
}

function addressOf(name: RouteName, { params = {}, query = {} }: Sent): string {
  const path = Object.entries(params).reduce(
    (address, [key, value]) => address.replace(`:${key}`, encodeURIComponent(String(value))),
    pathOf(name),
  )
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  )
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

function pathOf(name: RouteName): string {
  return routes[name].path
}

function headersFor({ body, idempotencyKey, proof }: Sent): Record<string, string> {
  return {
    Accept: 'application/json',
    // The page's own language, even if another tab chose another.
    [LANGUAGE_HEADER]: language(),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(proof && { proof }),
  }
}

const answerTo = (address: string, request: RequestInit): Promise<Response> =>
  arriving(fetch(address, request))

const textOf = (response: Response): Promise<string> => arriving(response.text())

async function arriving<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    throw new ApiError({
      status: 0,
      body: error instanceof Error ? error.message : 'no answer',
      isLate,
    })
  }
}

function readProblem(body: string): Problem | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return isProblem(parsed) ? parsed : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    'message' in value &&
    typeof value.message === 'string'
  )
}

/**
 * A random idempotency key for one attempt of a money action. Also works without TLS, where
 * browsers lack `crypto.randomUUID`.
 */
export function newAttemptKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
