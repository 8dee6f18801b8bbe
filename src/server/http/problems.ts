import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { PROBLEMS, sentenceOf } from '#contract/problem.ts'
import { ProofMethod, type Problem } from '#contract/wire.ts'
import { Refusal, type RefusalCode } from '#core/refusal.ts'
import { msg, t } from '#words/words.ts'
import { codeOf } from '#server/kernel/errors.ts'
import { callOf } from './refusal-log.ts'
import { language } from '#words/language.ts'
import { html } from '#server/kernel/html.ts'
import { accepts } from './by-quality.ts'

const FRAMEWORK_CODES: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_NOT_FOUND: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
}

/** Faults that the framework finds and that have no code of ours. */
const FRAMEWORK_SENTENCES: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: msg('The request is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: msg(
    "The request's length differs from its Content-Length header.",
  ),
  FST_ERR_BAD_URL: msg('The address of the request is malformed.'),
}

/**
 * Error codes after which the caller may retry: the database is down or stopping (class 57), its
 * disk, memory or connections are used up (class 53), or a statement waited too long for a lock
 * (55P03). Source: PostgreSQL, appendix A.
 */
const DATABASE_UNAVAILABLE =
  /^(CONNECT|CONNECTION_|ECONN|EPIPE|NO_PRIMARY|08|53|57|55P03|58030|25006)/

/**
 * PostgreSQL's code for a text that it cannot store. Usually the contract refuses such texts first,
 * with the field.
 */
const UNSTORABLE_TEXT = '22021'

/**
 * Turns the errors of requests into responses: refusals carry their sentence, our own bugs reveal
 * nothing. Messages that never become requests are answered in `wire-faults.ts`.
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
  const problem = problemOf(refusal)
  void reply.code(status).header('cache-control', 'no-store')
  if (wantsPage(request))
    return reply
      .type('text/html; charset=utf-8')
      .send(problemPage({ sentence: problem.message, isTemporary: status === 503 }))
  return reply.send(problem)
}

export function problemOf(refusal: Refusal): Problem {
  return {
    code: refusal.code,
    message: sentenceOf(refusal),
    ...(refusal.field && { field: refusal.field }),
    ...methodsOf(refusal),
  }
}

/** The accepted kinds of proof. A refusal carries them as one text, separated by blanks. */
function methodsOf({ values: { methods } }: Refusal): Pick<Problem, 'methods'> {
  return methods === undefined
    ? {}
    : { methods: methods.split(' ').map((method) => ProofMethod.parse(method)) }
}

/**
 * Logs a failure. A refusal is expected, for example for a network without a configured node, and
 * logged without a stack.
 */
function logFailure(error: Error, request: FastifyRequest): void {
  if (error instanceof Refusal)
    request.log.info({ code: error.code, ...callOf(request) }, 'request refused')
  else request.log.error({ err: error, ...callOf(request) }, 'request failed')
}

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

/** Throws a refusal that names the first invalid field. */
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
 * Like `checkInput`, and refuses NUL. Threat: PostgreSQL cannot store NUL, so such a text would
 * fail in the middle of an action.
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

/** Path of the first text that contains NUL. */
function pathOfNul(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const path = pathOfNul(part)
    if (path !== undefined) return [name, path].filter((step) => step !== '').join('.')
  }
  return undefined
}

type Raw = Parameters<z.core.$ZodErrorMap>[0]

/** The field of an issue: a path within body or query, or an unknown key. */
function fieldOf(issue: Pick<Raw, 'code' | 'path'> & { keys?: readonly string[] }): string {
  const path = (issue.path ?? []).map(String)
  return [...path, ...(issue.keys ?? []).slice(0, 1)].join('.').slice(0, 50)
}

/** The sentence of a check that has none of its own, in the reader's language. */
function sentenceOfIssue(issue: Raw): string {
  const field = fieldOf(issue)
  if (issue.code === 'unrecognized_keys') return t('Unknown field: {field}', { field })
  if (field === '') return t('The request must be a JSON object.')
  if (issue.code === 'too_small' || issue.code === 'too_big') return sentenceOfSize(issue, field)
  if (issue.code === 'invalid_value')
    return t('{field} must be one of: {values}', {
      field,
      values: issue.values.map(String).join(', '),
    })
  if (issue.code === 'invalid_format') return sentenceOfFormat(issue.format, field)
  return sentenceOfType(issue.code === 'invalid_type' ? issue : undefined, field)
}

function sentenceOfType(
  issue: Extract<Raw, { code: 'invalid_type' }> | undefined,
  field: string,
): string {
  const expected = issue?.expected
  if (issue && issue.input === undefined) return t('{field} is missing.', { field })
  if (expected === 'string') return t('{field} must be a text.', { field })
  if (expected === 'int') return t('{field} must be a whole number.', { field })
  if (expected === 'number') return t('{field} must be a number.', { field })
  if (expected === 'boolean') return t('{field} must be true or false.', { field })
  if (expected === 'array') return t('{field} must be a list.', { field })
  if (expected === 'object' || expected === 'record')
    return t('{field} must be an object.', { field })
  return t('{field} is not valid.', { field })
}

function sentenceOfSize(
  issue: Extract<Raw, { code: 'too_small' | 'too_big' }>,
  field: string,
): string {
  const isLeast = issue.code === 'too_small'
  const limit = String(isLeast ? issue.minimum : issue.maximum)
  if (issue.origin === 'string')
    return isLeast
      ? t('{field} must have at least {limit} characters.', { field, limit })
      : t('{field} must have at most {limit} characters.', { field, limit })
  if (issue.origin === 'array')
    return isLeast
      ? t('{field} must have at least {limit} entries.', { field, limit })
      : t('{field} must have at most {limit} entries.', { field, limit })
  return isLeast
    ? t('{field} must be at least {limit}.', { field, limit })
    : t('{field} must be at most {limit}.', { field, limit })
}

function sentenceOfFormat(format: string, field: string): string {
  if (format === 'datetime')
    return t('{field} must be a time such as 2026-01-31T12:00:00Z.', { field })
  if (format === 'uuid') return t('{field} must be an id.', { field })
  return t('{field} is not in the right format.', { field })
}

/** Paths that never lead to a page: calls, files of a deleted build, and files for machines. */
const NO_PAGE = /^\/(api|assets|health|metrics|\.well-known)(\/|\?|$)/

/**
 * Whether the caller reads HTML and requests neither a call nor a file. The app's own calls want
 * JSON.
 */
export function wantsPage({
  method,
  url,
  headers,
}: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NO_PAGE.test(url)) return false
  return !headers.accept || accepts(headers.accept, 'text/html', ['text/*', '*/*'])
}

const RETRY_SECONDS = 5

/**
 * A page that needs no other file, for failures of the app's pages. If a retry may succeed, it
 * reloads itself.
 */
function problemPage({
  sentence,
  isTemporary,
}: {
  sentence: string
  isTemporary: boolean
}): string {
  return html`<!doctype html>
<html lang="${language()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isTemporary ? html`<meta http-equiv="refresh" content="${RETRY_SECONDS}">` : undefined}
<title>Trading Bot</title>
<style>
:root { color-scheme: light dark }
body { display: grid; min-height: 100dvh; margin: 0; place-content: center; padding: 1.25rem;
  box-sizing: border-box; text-align: center; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.25rem; max-width: 30rem; text-wrap: balance }
a { color: inherit; padding: 0.75rem }
</style>
<main>
<h1>${sentence}</h1>
<p><a href="">${t('Try again')}</a></p>
</main>
</html>
`.text
}
