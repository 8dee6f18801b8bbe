import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { PROBLEMS, sentenceOf } from '#contract/problem.ts'
import { ProofMethod, type Problem } from '#contract/wire.ts'
import { Refusal, type RefusalCode } from '#core/refusal.ts'
import { inWords } from '#words/in-words.ts'
import { msg } from '#words/words.ts'
import { codeOf } from '#server/code-of.ts'
import { fieldOf, sentenceOfIssue } from './issue-sentence.ts'
import { problemPage, wantsPage } from './problem-page.ts'
import { callOf } from './refusal-log.ts'

const FRAMEWORK_CODES: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_NOT_FOUND: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
}

/** Sentences for faults that the framework finds and that have no code of ours. */
const FRAMEWORK_SENTENCES: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: msg('The request is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: msg('The request is not as long as it says.'),
  FST_ERR_BAD_URL: msg('The address of the request is malformed.'),
}

/**
 * Error codes of a database that is down or stopping, whose disk, memory or connections are used up
 * (classes 53 and 57), or in which a statement waited too long for a lock (55P03): the caller may
 * retry. Source: PostgreSQL, appendix A.
 */
const DATABASE_UNAVAILABLE =
  /^(CONNECT|CONNECTION_|ECONN|EPIPE|NO_PRIMARY|08|53|57|55P03|58030|25006)/

/**
 * A text that PostgreSQL cannot store. The contract refuses such texts by name; this is the last
 * line.
 */
const UNSTORABLE_TEXT = '22021'

/**
 * The only place that turns errors into responses: refusals carry their sentence, our own bugs
 * reveal nothing.
 */
export function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error)
  const { status } = PROBLEMS[refusal.code]
  if (status >= 500) logFailure(error, request)
  const { seconds } = refusal.values
  if (seconds !== undefined) void reply.header('retry-after', seconds)
  const message = inWords(sentenceOf(refusal))
  void reply.code(status).header('cache-control', 'no-store')
  if (wantsPage(request))
    return reply
      .type('text/html; charset=utf-8')
      .send(problemPage({ sentence: message, isTemporary: status === 503 }))
  const problem = {
    code: refusal.code,
    message,
    ...(refusal.field && { field: refusal.field }),
    ...methodsOf(refusal),
  } satisfies Problem
  return reply.send(problem)
}

/** The ways to prove who asks: as values of a refusal they are one text. */
function methodsOf({ values: { methods } }: Refusal): Pick<Problem, 'methods'> {
  return methods === undefined
    ? {}
    : { methods: methods.split(' ').map((method) => ProofMethod.parse(method)) }
}

/**
 * A refusal is an answer by design, such as that of a network without a configured node: it has a
 * line of its own and no stack.
 */
function logFailure(error: Error, request: FastifyRequest): void {
  if (error instanceof Refusal)
    request.log.info({ code: error.code, ...callOf(request) }, 'request refused')
  else request.log.error({ err: error, ...callOf(request) }, 'request failed')
}

/** The refusal that an error is answered with. */
export function toRefusal(error: FastifyError | Error): Refusal {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  const known = FRAMEWORK_CODES[code]
  if (known) return new Refusal(known)
  if (code === UNSTORABLE_TEXT) return new Refusal('invalid-input')
  if (error.name === 'CommitAnswerLost') return new Refusal('outcome-unknown')
  if (DATABASE_UNAVAILABLE.test(code)) return new Refusal('temporarily-unavailable')
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  const sentence = FRAMEWORK_SENTENCES[code]
  if (status >= 400 && status < 500)
    return new Refusal('invalid-input', { ...(sentence && { sentence }) })
  return new Refusal('internal')
}

/** Parses the value, or throws a refusal that names the first invalid field. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: sentenceOfIssue })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue && fieldOf(issue)
  throw new Refusal('invalid-input', {
    ...(field && { field }),
    ...(issue && { sentence: issue.message }),
  })
}

/**
 * Like `checkInput`. Threat: PostgreSQL cannot store NUL, so a text with one would fail in the
 * middle of an action; no field may have it.
 */
export function checkTexts<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const checked = checkInput(schema, value)
  const field = pathOfNul(checked)
  if (field !== undefined) throw new Refusal('invalid-input', { field })
  return checked
}

/** The path of the first text that contains NUL; undefined if there is none. */
function pathOfNul(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const path = pathOfNul(part)
    if (path !== undefined) return [name, path].filter((step) => step !== '').join('.')
  }
  return undefined
}
