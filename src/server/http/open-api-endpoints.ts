import { z } from 'zod'
import { accessOf, isProven, keyedCalls, proofRules, type Access } from '#contract/access.ts'
import { DownloadQuery } from '#contract/auth.ts'
import { routeProblems } from '#contract/route-problems.ts'
import { plainRoutes, routes, type Route, type RouteName } from '#contract/routes.ts'
import { schemas, type RouteSchemas } from '#contract/schemas.ts'
import type { summaries } from '#contract/summaries.ts'
import { ExportQuery } from '#contract/transactions.ts'
import { Nothing } from '#contract/wire.ts'
import type { RefusalCode } from '#core/refusal.ts'
import { ALLOWED_WHILE_FROZEN } from '#server/auth/frozen.ts'
import { SIGNED_PATHS, WRITING_PATHS } from './cross-site.ts'
import { READING } from './in-flight.ts'
import { WRITING } from './register-routes.ts'
import { EventsQuery } from './stream-events.ts'

const JSON_TYPE = 'application/json'
const EVENTS_TYPE = 'text/event-stream'

/** A call of the contract, or a route with other answers than its JSON. */
export type Endpoint = Pick<Route, 'method' | 'path'> & {
  name: keyof typeof summaries
  access: Access
  query?: z.ZodType | undefined
  body?: { type: string; schema: z.ZodType } | undefined
  /** Without a shape, it leads to a page. */
  answer: { status: number; type?: string; schema?: z.ZodType }
}

/** All that programs and browsers may ask under `/api`, but for messages of the card provider. */
export const endpoints: readonly Endpoint[] = [
  ...(Object.keys(routes) as RouteName[]).map(ofContract),
  ...plainEndpoints(),
]

function ofContract(name: RouteName): Endpoint {
  const { method, path, streams }: Route = routes[name]
  const { query, body, response, status }: RouteSchemas = schemas[name]
  return {
    name,
    method,
    path,
    query,
    access: accessOf[name],
    body: body && { type: JSON_TYPE, schema: body },
    answer: { status: status ?? 200, type: streams ? EVENTS_TYPE : JSON_TYPE, schema: response },
  }
}

function plainEndpoints(): Endpoint[] {
  const { loginRedirect, events, statement, trades, myData, openApi, unsubscribe } = plainRoutes
  const get = { method: 'GET', access: 'public' } as const
  const file = { ...get, access: 'user', query: ExportQuery } as const
  const csv = { status: 200, type: 'text/csv', schema: z.string() }
  const leads = { status: 303 }
  const json = { status: 200, type: JSON_TYPE, schema: z.looseObject({}) }
  const stream = { ...json, type: EVENTS_TYPE }
  return [
    { ...get, name: 'loginRedirect', path: loginRedirect, answer: leads },
    { ...get, name: 'events', path: events, access: 'both', query: EventsQuery, answer: stream },
    { ...file, name: 'statement', path: statement, answer: csv },
    { ...file, name: 'trades', path: trades, answer: csv },
    { ...file, name: 'myData', path: myData, query: DownloadQuery, answer: json },
    { ...get, name: 'openApi', path: openApi, answer: json },
    { ...get, name: 'unsubscribe', path: unsubscribe, answer: leads },
    {
      name: 'oneClick',
      method: 'POST',
      path: unsubscribe,
      access: 'public',
      body: {
        type: 'application/x-www-form-urlencoded',
        schema: z.strictObject({ 'List-Unsubscribe': z.literal('One-Click') }),
      },
      answer: { ...json, schema: Nothing },
    },
  ]
}

/** Of the header `Proof`; undefined for calls without one. */
export const proofRuleOf = ({ name }: Endpoint) => (isProven(name) ? proofRules[name] : undefined)

export const isKeyed = ({ name }: Endpoint): boolean => keyedCalls.some((call) => call === name)

const ALWAYS: readonly RefusalCode[] = [
  'invalid-input',
  'request-timed-out',
  'expectation-unknown',
  'wrong-host',
  'headers-too-large',
  'internal',
  'temporarily-unavailable',
]

/** Each code that may refuse it, once. */
export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const { name, method, path, access } = endpoint
  const isChange = method !== 'GET'
  const isFreezable = isChange && access === 'user' && !has(ALLOWED_WHILE_FROZEN, name)
  const isOurSiteOnly = isChange ? !SIGNED_PATHS.has(path) : WRITING_PATHS.has(path)
  const rules: [boolean, ...RefusalCode[]][] = [
    [access === 'user' || access === 'session', 'not-signed-in'],
    [isFreezable, 'account-frozen'],
    [isOurSiteOnly, 'cross-site'],
    [proofRuleOf(endpoint) !== undefined, 'proof-required', 'account-locked'],
    [path.includes(':'), 'not-found'],
    [isChange, 'body-too-large', 'unsupported-media-type', 'too-many-attempts', 'busy'],
    [isKeyed(endpoint), 'idempotency-key-reused'],
    [isChange || has(WRITING, name), 'outcome-unknown'],
    [!isChange || READING.has(path), 'takes-long'],
    [isChange && !READING.has(path), 'still-under-way'],
  ]
  const byRule = rules.flatMap(([applies, ...codes]) => (applies ? codes : []))
  const own: Partial<Record<string, readonly RefusalCode[]>> = routeProblems
  return [...new Set([...ALWAYS, ...byRule, ...(own[name] ?? [])])]
}

const has = (names: ReadonlySet<string>, name: string): boolean => names.has(name)
