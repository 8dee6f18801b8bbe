import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { PROBLEMS, sentenceOf } from '#contract/problem.ts'
import type { Problem } from '#contract/wire.ts'
import { Refusal } from '#core/refusal.ts'
import { msg, t } from '#words/words.ts'

/** Faults in a message before it is a request, by Node's code. */
const FAULTS: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal('request-timed-out'),
  HPE_HEADER_OVERFLOW: new Refusal('headers-too-large'),
}
const MALFORMED = new Refusal('invalid-input', { sentence: msg('The request is malformed.') })

/**
 * Answers a malformed message with the usual body of refusals, in English, because its reader is
 * unknown.
 */
export function answerBrokenMessage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(wholeAnswer(FAULTS[error.code ?? ''] ?? MALFORMED))
  socket.destroy(error)
}

/** Refuses unknown expectations, which Node would refuse without a body. */
export function refuseExpectations(server: FastifyInstance['server']): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = answerOf(new Refusal('expectation-unknown'))
    response.writeHead(status, headers).end(body)
  })
}

function wholeAnswer(refusal: Refusal): string {
  const { status, headers, body } = answerOf(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

function answerOf(refusal: Refusal): {
  status: number
  headers: Record<string, string | number>
  body: string
} {
  const body = JSON.stringify({
    code: refusal.code,
    message: sentenceOf(refusal),
  } satisfies Problem)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  }
  return { status: PROBLEMS[refusal.code].status, headers, body }
}

/**
 * Refuses a body with keys that would reach the prototype of all objects; undefined if it is not
 * JSON. Threat: an object copied with such a key passes its values to every other object.
 */
export function forbiddenKeyOf(body: string): Refusal | undefined {
  const field = keyIn(valueOf(body))
  return field === undefined
    ? undefined
    : new Refusal('invalid-input', { field, sentence: t('Unknown field: {field}', { field }) })
}

/** A queue instead of recursion: a body may nest deeper than the stack allows. */
function keyIn(value: unknown): string | undefined {
  const parts = [value]
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue
    if (Object.hasOwn(part, '__proto__')) return '__proto__'
    if (Object.hasOwn(part, 'constructor')) return 'constructor'
    parts.push(...Object.values(part))
  }
  return undefined
}

function valueOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
