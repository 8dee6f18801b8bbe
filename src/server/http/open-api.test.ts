import { expect, test } from 'vitest'
import { z } from 'zod'
import { KEY_SCOPES } from '#core/auth/program-key.ts'
import { calls } from '#contract/calls.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes } from '#contract/routes.ts'
import { handlers } from './handlers.ts'
import { openApiDocument } from './open-api.ts'
import { endpoints, refusalsOf } from './open-api-endpoints.ts'

const Parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  schema: z.looseObject({}),
  description: z.string().optional(),
})
const Ref = z.strictObject({ $ref: z.string().startsWith('#/components/') })
const Content = z.record(
  z.string().regex(/^\w+\/[\w-]+$/),
  z.strictObject({ schema: z.looseObject({}) }),
)
const Response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), Ref).optional(),
  content: Content.optional(),
})
const Operation = z.strictObject({
  operationId: z.string(),
  summary: z.string().min(5).max(90),
  tags: z.array(z.string().min(1)).length(1),
  security: z.array(
    z.strictObject({
      session: z.tuple([]).optional(),
      key: z.tuple([z.enum(KEY_SCOPES)]).optional(),
    }),
  ),
  parameters: z.array(z.union([Ref, Parameter])),
  requestBody: z.strictObject({ required: z.literal(true), content: Content }).optional(),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), z.union([Ref, Response])),
})
const Schemas = z.record(z.string().regex(/^\w+$/), z.looseObject({}))
const ComponentName = z.string().regex(/^[\w.-]+$/)
/** The parts of OpenAPI 3.1 that the description uses, with nothing beside them. */
const Description = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.string() })),
  paths: z.record(
    z.string().startsWith('/api/'),
    z.record(z.string().regex(/^(get|post|patch|delete)$/), Operation),
  ),
  components: z.strictObject({
    parameters: z.record(ComponentName, Parameter),
    headers: z.record(ComponentName, z.looseObject({ schema: z.looseObject({}) })),
    responses: z.record(ComponentName, Response),
    securitySchemes: z.strictObject({
      session: z.strictObject({
        type: z.literal('apiKey'),
        in: z.literal('cookie'),
        name: z.string(),
      }),
      key: z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer') }),
    }),
    schemas: Schemas,
  }),
})
type Operation = z.infer<typeof Operation>

const text = JSON.stringify(openApiDocument({}))
const described = Description.parse(JSON.parse(text))
const { components } = described

const operations = Object.values(described.paths).flatMap((path) => Object.values(path))

function operationOf(name: string): Operation {
  const found = operations.find(({ operationId }) => operationId === name)
  if (!found) throw new Error(`${name} is not described`)
  return found
}

/** The names of a call's inputs; a required one ends with a '!', such as 'Proof!'. */
function inputsOf(name: string, place: 'path' | 'query' | 'header'): string[] {
  const parameters = operationOf(name).parameters.map((parameter) =>
    '$ref' in parameter
      ? Parameter.parse(components.parameters[partOf(parameter.$ref)])
      : parameter,
  )
  return parameters
    .filter((parameter) => parameter.in === place)
    .map((parameter) => `${parameter.name}${parameter.required ? '!' : ''}`)
}

const partOf = (ref: string): string => ref.split('/').at(-1) ?? ''

/** The codes of a refusal with this status. */
function codesOf(name: string, status: number): string[] {
  const { $ref } = Ref.parse(operationOf(name).responses[status])
  return components.responses[partOf($ref)]?.description.match(/(?<=^- `)[\w-]+/gm) ?? []
}

test('every reference leads to a component, and every component is referenced', () => {
  const { securitySchemes, ...parts } = components
  const names = Object.entries(parts).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `#/components/${kind}/${name}`),
  )
  const refs = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref))
  expect([...refs].toSorted()).toEqual(names.toSorted())
  expect(Object.keys(securitySchemes)).toEqual(['session', 'key'])
  expect(text).not.toMatch(/"\$(schema|id|defs)"/)
})

test('every call of the contract, and every other route, is described under its path', () => {
  const expected = [
    ...Object.entries(routes).map(([name, { method, path }]) => [name, method, path]),
    ...Object.entries(plainRoutes).map(([name, path]) => [
      name,
      name === 'mcp' ? 'POST' : 'GET',
      path,
    ]),
    ['oneClick', 'POST', plainRoutes.unsubscribe],
  ]
  const found = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      method.toUpperCase(),
      path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ]),
  )
  expect(found.toSorted()).toEqual(expected.toSorted())
})

test('the parameters of each path are declared', () => {
  for (const [path, methods] of Object.entries(described.paths))
    for (const { operationId } of Object.values(methods))
      expect([operationId, inputsOf(operationId, 'path')]).toEqual([
        operationId,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => `${key}!`),
      ])
})

test.each([
  ['getPortfolio', ['x-language']],
  ['login', ['x-language', 'Origin']],
  ['createBot', ['x-language', 'Idempotency-Key', 'Origin']],
  ['changePassword', ['x-language', 'Proof', 'Origin']],
  ['removePasskey', ['x-language', 'Proof!', 'Origin']],
  ['requestWithdrawal', ['x-language', 'Proof!', 'Idempotency-Key', 'Origin']],
])('%s takes the headers %j', (name, headers) => expect(inputsOf(name, 'header')).toEqual(headers))

test.each([
  ['getHelpArticle', ['id!']],
  ['getMarket', ['range']],
  ['getWalletNonce', ['walletAddress', 'chainId']],
  ['getBacktestBundle', ['strategy!', 'pairs!', 'amount!', 'days!', 'until!']],
  ['listTransactions', ['bot', 'from', 'to', 'type', 'q', 'cursor']],
  ['statement', ['bot', 'from', 'to']],
  ['myData', ['ticket!']],
  ['events', ['since']],
  ['listBots', []],
])('%s takes the query %j', (name, query) => expect(inputsOf(name, 'query')).toEqual(query))

const OF_EACH = [400, 408, 417, 421, 431, 500, 503]

test.each([
  ['getConfig', [200, 401, 403, 429]],
  ['getBotPerformance', [200, 401, 403, 404, 429]],
  ['login', [200, 401, 403, 413, 415, 422, 429]],
  ['createBot', [201, 401, 403, 413, 415, 422, 429]],
  ['requestWithdrawal', [201, 401, 403, 404, 409, 413, 415, 422, 429]],
  ['trades', [200, 401, 404]],
  ['myData', [200, 401, 410]],
  ['loginRedirect', [303]],
])('%s answers with the statuses %j, and those of every call', (name, statuses) =>
  expect(Object.keys(operationOf(name).responses).map(Number)).toEqual(
    [...statuses, ...OF_EACH].toSorted((one, other) => one - other),
  ),
)

test.each([
  ['getPortfolio', 503, ['temporarily-unavailable', 'takes-long']],
  ['login', 401, ['wrong-credentials']],
  ['renamePasskey', 403, ['account-frozen', 'cross-site']],
  ['endSession', 403, ['cross-site', 'proof-required', 'account-locked']],
  ['takeOutOfBot', 409, ['bot-closing', 'bot-paused', 'bot-busy']],
  ['takeOutOfBot', 422, ['idempotency-key-reused']],
  ['getWalletNonce', 403, ['cross-site']],
  ['oneClick', 404, ['not-found']],
])('%s refuses with %i and the codes %j', (name, status, codes) =>
  expect(codesOf(name, status)).toEqual(codes),
)

test('every code is a refusal of some call, except those of forms, operators and Stripe', () => {
  const used = new Set(endpoints.flatMap(refusalsOf))
  expect(Object.entries(PROBLEMS).flatMap(([code]) => (has(used, code) ? [] : [code]))).toEqual([
    'email-invalid',
    'card-number-invalid',
    'card-expiry-invalid',
    'card-cvc-invalid',
    'webhook-signature-invalid',
    'withdrawals-waiting',
    'payout-unproven',
    'operator-signed-out',
    'operator-role',
  ])
})

const has = (codes: ReadonlySet<string>, code: string): boolean => codes.has(code)

test('a refusal is a Problem with one of its codes', () => {
  expect(components.responses['bot-closing.bot-paused.bot-busy']?.content).toEqual({
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          {
            type: 'object',
            required: ['code'],
            properties: { code: { enum: ['bot-closing', 'bot-paused', 'bot-busy'] } },
          },
        ],
      },
    },
  })
})

test.each([
  ['statement', 'text/csv'],
  ['trades', 'text/csv'],
  ['myData', 'application/json'],
  ['getEvidenceBundle', 'application/json'],
  ['events', 'text/event-stream'],
  ['streamHelp', 'text/event-stream'],
])('%s answers with %s', (name, type) =>
  expect(Object.keys(Response.parse(operationOf(name).responses[200]).content ?? {})).toEqual([
    type,
  ]),
)

test.each([
  ['login', []],
  ['listBots', [{ session: [] }, { key: ['read'] }]],
  ['createBot', [{ session: [] }, { key: ['bots'] }]],
  ['topUpBot', [{ session: [] }]],
  ['getPrices', [{}, { key: ['read'] }]],
  ['getUser', [{ session: [] }]],
  ['askHelp', [{}, { session: [] }]],
])('%s requires the session or key that its row names: %j', (name, security) =>
  expect(operationOf(name).security).toEqual(security),
)

test('over TLS the cookie of the session has another name', () => {
  expect(components.securitySchemes.session.name).toBe('sid')
  const { components: overTls, servers } = openApiDocument({ PUBLIC_URL: 'https://bots.example' })
  expect(overTls.securitySchemes.session.name).toBe('__Host-sid')
  expect(servers).toEqual([{ url: 'https://bots.example' }])
})

test('the examples of shapes are valid', () => {
  const examples = Object.entries(components.schemas).filter(([, shape]) => shape['examples'])
  expect(examples.map(([name]) => name).toSorted()).toEqual(
    ['Usd', 'Decimal', 'Percent', 'Timestamp', 'Day', 'Id'].toSorted(),
  )
  for (const [, shape] of examples)
    expect(String(shape['examples'])).toMatch(new RegExp(String(shape['pattern'])))
})

/** Names of the calls whose handler uses this. */
const callsWith = (code: string): string[] =>
  Object.entries(handlers).flatMap(([name, handler]) =>
    String(handler).includes(code) ? [name] : [],
  )

test('calls are described with an Idempotency-Key if their handlers use it', () => {
  const keyed = endpoints.filter((call) => call.keyed).map(({ name }) => name)
  expect(callsWith('idempotencyKey').toSorted()).toEqual(keyed.toSorted())
})

test('the shape of an answer is the same before and after defaults', () => {
  for (const [name, { response }] of Object.entries(calls)) {
    const [given, sent] = (['input', 'output'] as const).map((io) =>
      z.toJSONSchema(response, { io, unrepresentable: 'any' }),
    )
    expect([name, given]).toEqual([name, sent])
  }
})
