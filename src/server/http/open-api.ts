import { PROBLEMS } from '#contract/problem.ts'
import { Id, Problem } from '#contract/wire.ts'
import { KEY_REQUESTS } from '#core/auth/program-key.ts'
import { groupBy } from '#core/group-by.ts'
import type { RefusalCode } from '#core/refusal.ts'
import { cookieName } from '#server/settings/own-address.ts'
import type { Settings } from '#server/settings/settings.ts'
import { LANGUAGE_HEADER, LANGUAGES } from '#words/language.ts'
import { endpoints, refusalsOf, type Endpoint } from './open-api-endpoints.ts'
import { openShapes, type JsonSchema } from './open-api-shapes.ts'
import { IDEMPOTENCY_KEY } from './register-routes.ts'

type Shapes = ReturnType<typeof openShapes>
type Address = Pick<Settings, 'PUBLIC_URL'>

const ABOUT = `Amounts of money are decimal strings in US dollars, times are in UTC. An answer that
is no success is a Problem: its code is for programs and is stable, its message is for people.

Sign in by login or loginWithPasskey, and send the cookie that they set with each further call.
Calls with the header Proof also need a proof: first send makeProof the name and the body of the
call, with a password, a code or a passkey.

Or send a key for programs, made by makeKey, as "Authorization: Bearer", without cookie and Origin.
It reaches the calls that name the scheme key: with the role read any key, with the role bots those
of that scope. Any other call refuses it with key-scope. Each key has ${KEY_REQUESTS} requests a
minute, which RateLimit and RateLimit-Policy count.`

/** The description in OpenAPI 3.1, generated from the tables that the server runs on. */
export function openApiDocument(settings: Address) {
  const shapes = openShapes(
    endpoints.flatMap(({ query, body, answer }) =>
      [query, body?.schema, answer.schema].filter((schema) => schema !== undefined),
    ),
  )
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {}
  const refusals: Record<string, object> = {}
  for (const endpoint of endpoints) {
    const groups = [...groupBy(refusalsOf(endpoint), (code) => PROBLEMS[code].status)]
    for (const [, codes] of groups) refusals[nameOf(codes)] ??= refusal(codes, shapes)
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    const method = endpoint.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: operation(endpoint, groups, shapes) }
  }
  const parts = {
    parameters: headersOf(shapes),
    headers: HEADERS_OF_ANSWERS,
    responses: refusals,
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: cookieName(settings, 'sid') },
      key: { type: 'http', scheme: 'bearer' },
    },
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Trading Bot', version: '1', description: ABOUT },
    servers: [{ url: settings.PUBLIC_URL ?? '/' }],
    components: { ...parts, schemas: shapes.usedBy([paths, parts]) },
    paths,
  }
}

type Groups = [status: number, codes: RefusalCode[]][]

function operation(endpoint: Endpoint, groups: Groups, shapes: Shapes) {
  const { name, summary, path, access, keys, body } = endpoint
  const [isOptional, isPublic] = [access === 'both', access === 'public']
  return {
    operationId: name,
    summary,
    tags: [path.split('/')[2]?.split('.')[0]],
    security: [
      ...(isOptional || (isPublic && keys) ? [{}] : []),
      ...(isPublic || access === 'key' ? [] : [{ session: [] }]),
      ...(keys ? [{ key: [keys] }] : []),
    ],
    parameters: parametersOf(endpoint, shapes),
    ...(body && {
      requestBody: {
        required: true,
        content: { [body.type]: { schema: shapes.refOf(body.schema) } },
      },
    }),
    responses: answersOf(endpoint, groups, shapes),
  }
}

type Answers = Record<string, ReturnType<typeof success> | ReturnType<typeof part>>

function answersOf(endpoint: Endpoint, groups: Groups, shapes: Shapes): Answers {
  const answers: Answers = { [endpoint.answer.status]: success(endpoint, shapes) }
  for (const [status, codes] of groups) answers[status] = part('responses', nameOf(codes))
  return answers
}

const part = (kind: 'parameters' | 'headers' | 'responses', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

function parametersOf(endpoint: Endpoint, shapes: Shapes) {
  const { path, query, method, proof, keyed } = endpoint
  const shape: JsonSchema = query ? shapes.shapeOf(query) : {}
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(shape.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: shape.required?.includes(name) ?? false,
      schema,
    })),
    part('parameters', 'Language'),
    ...(proof ? [part('parameters', proof === 'always' ? 'Proof' : 'ProofIfAsked')] : []),
    ...(keyed ? [part('parameters', 'IdempotencyKey')] : []),
    ...(method === 'GET' ? [] : [part('parameters', 'Origin')]),
  ]
}

const PROOF = 'The id from makeProof, for exactly this request, valid once.'

function headersOf({ refOf }: Shapes) {
  const proof = { name: 'Proof', in: 'header', schema: refOf(Id) }
  return {
    Language: {
      name: LANGUAGE_HEADER,
      in: 'header',
      schema: { type: 'string', enum: LANGUAGES },
      description: 'Of the sentences in the answer. Without it, Accept-Language decides.',
    },
    Proof: { ...proof, required: true, description: PROOF },
    ProofIfAsked: { ...proof, description: `${PROOF} Only after the refusal proof-required.` },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
      description: 'One for each attempt. A repetition under it gets the first answer.',
    },
    Origin: {
      name: 'Origin',
      in: 'header',
      schema: { type: 'string', format: 'uri' },
      description: 'The address of this server. Browsers send it by themselves, programs have to.',
    },
  }
}

const HEADERS_OF_ANSWERS = {
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  Location: { description: 'The page.', schema: { type: 'string' } },
}

type Success = {
  description: string
  headers?: object
  content?: Record<string, { schema: JsonSchema }>
}

function success({ answer: { type, schema } }: Endpoint, { refOf }: Shapes): Success {
  if (type === undefined || schema === undefined)
    return { description: 'Leads to a page.', headers: { Location: part('headers', 'Location') } }
  return {
    description: type === 'text/event-stream' ? 'Events, each with such data.' : 'Done.',
    content: { [type]: { schema: refOf(schema) } },
  }
}

const nameOf = (codes: readonly RefusalCode[]): string => codes.join('.')

/** Answers with 429 and 503 may state when to retry. */
function refusal(codes: readonly RefusalCode[], { refOf }: Shapes) {
  const isTemporary = codes.some((code) => [429, 503].includes(PROBLEMS[code].status))
  const coded = { type: 'object', required: ['code'], properties: { code: { enum: codes } } }
  return {
    description: codes.map((code) => `- \`${code}\`: ${PROBLEMS[code].message}`).join('\n'),
    ...(isTemporary && { headers: { 'Retry-After': part('headers', 'RetryAfter') } }),
    content: { 'application/json': { schema: { allOf: [refOf(Problem), coded] } } },
  }
}
