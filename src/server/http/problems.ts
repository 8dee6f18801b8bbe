import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { PROBLEMS, sentenceOf } from '#contract/problem.ts'
import type { Problem } from '#contract/wire.ts'
import { Refusal, type RefusalCode } from '#core/refusal.ts'
import { inWords } from '#words/in-words.ts'
import { language } from '#words/language.ts'
import { sayIfKnown, t } from '#words/words.ts'
import { codeOf } from '#server/code-of.ts'

const FRAMEWORK_CODES: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_NOT_FOUND: 'not-found',
}

/** Error codes of a database that is down, stopping or full: the caller may retry. */
const DATABASE_UNAVAILABLE = /^(CONNECT|CONNECTION_|ECONN|EPIPE|08|57P0|53300|25006)/

/** The only place that turns errors into responses: refusals carry their sentence, our own bugs reveal nothing. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error)
  const { status } = PROBLEMS[refusal.code]
  if (status >= 500) logFailure(error, request)
  const { seconds } = refusal.values
  if (seconds !== undefined) void reply.header('retry-after', seconds)
  const problem: Problem = { code: refusal.code, message: inWords(sentenceOf(refusal)), ...(refusal.field && { field: refusal.field }) }
  return reply.code(status).header('cache-control', 'no-store').send(problem)
}

/** A refusal is an answer by design, such as that of a network without a configured node: it has a line of its own and no stack. */
function logFailure(error: Error, request: FastifyRequest): void {
  if (error instanceof Refusal) request.log.info({ code: error.code, path: request.routeOptions.url }, 'request refused')
  else request.log.error({ err: error }, 'request failed')
}

function toRefusal(error: FastifyError | Error): Refusal {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  const known = FRAMEWORK_CODES[code]
  if (known) return new Refusal(known)
  if (DATABASE_UNAVAILABLE.test(code) || error.name === 'CommitAnswerLost') return new Refusal('temporarily-unavailable')
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return new Refusal('invalid-input', { sentence: t('The request is not valid JSON.') })
  return new Refusal('internal')
}

/** Parses the value, or throws a refusal that names the first invalid field. */
export function checkInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (issue?.code === 'unrecognized_keys') {
    const field = (issue.keys[0] ?? '').slice(0, 50)
    throw new Refusal('invalid-input', { field, sentence: t('Unknown field: {field}', { field }) })
  }
  const field = issue?.path.join('.')
  const sentence = sentenceOfIssue(issue?.message ?? '', field)
  throw new Refusal('invalid-input', { ...(field && { field }), ...(sentence && { sentence }) })
}

/** The schema library writes sentences of its own in English, for developers. Readers of another language get the code's sentence instead. */
const OF_LIBRARY = /^(Invalid|Too (big|small)|Unrecognized)\b/

function sentenceOfIssue(message: string, field: string | undefined): string | undefined {
  if (language() !== 'en' && OF_LIBRARY.test(message) && sayIfKnown(message) === message) return undefined
  return message.startsWith('Invalid input') && field ? `${field}: ${message}` : message
}
