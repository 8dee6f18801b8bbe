import { z } from 'zod'
import { DownloadQuery } from '#contract/auth.ts'
import type { Access, CallRow } from '#contract/call-row.ts'
import { rowOf } from '#contract/calls.ts'
import { EVENT_NAMES } from '#contract/events.ts'
import { plainRoutes, type PlainName } from '#contract/plain-routes.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { TaxExportQuery, YearQuery } from '#contract/statement.ts'
import { ExportQuery } from '#contract/transactions.ts'
import { Nothing } from '#contract/wire.ts'
import type { RefusalCode } from '#core/refusal.ts'
import { SIGNED_PATHS } from './cross-site.ts'
import { EventsQuery } from './stream-events.ts'

const JSON_TYPE = 'application/json'
const EVENTS_TYPE = 'text/event-stream'

/** A call of the contract, or a route with other answers than its JSON. */
export type Endpoint = Pick<Route, 'method' | 'path'> &
  Omit<CallRow, 'access' | 'body' | 'response' | 'status'> & {
    name: string
    /** 'key': with a key for programs alone. */
    access: Access | 'key'
    body?: { type: string; schema: z.ZodType } | undefined
    /** Without a schema, the answer redirects to a page. */
    answer: { status: number; type?: string; schema?: z.ZodType }
  }

const ASSISTANT = {
  method: 'POST',
  summary: 'For your own assistant: tools that read, by the Model Context Protocol',
  access: 'key',
  reads: true,
  keys: 'read',
  body: { type: JSON_TYPE, schema: z.looseObject({}) },
  answer: { status: 200, type: JSON_TYPE, schema: z.looseObject({}) },
} as const

/**
 * All requests that programs and browsers may send under `/api`, except messages of the card
 * provider.
 */
export const endpoints: readonly Endpoint[] = [
  ...(Object.keys(routes) as RouteName[]).map(ofContract),
  ...plainEndpoints(),
]

function ofContract(name: RouteName): Endpoint {
  const { streams, ...route }: Route = routes[name]
  const { body, response, status, ...row } = rowOf(name)
  return {
    ...route,
    ...row,
    name,
    body: body && { type: JSON_TYPE, schema: body },
    answer: { status: status ?? 200, type: streams ? EVENTS_TYPE : JSON_TYPE, schema: response },
  }
}

function plainRows(): { [Name in PlainName]: Omit<Endpoint, 'name' | 'path'> } {
  const get = { method: 'GET', access: 'public' } as const
  const file = { ...get, access: 'user', query: ExportQuery } as const
  const csv = { status: 200, type: 'text/csv', schema: z.string() }
  const leads = { status: 303 }
  const json = { status: 200, type: JSON_TYPE, schema: z.looseObject({}) }
  return {
    loginRedirect: { ...get, summary: 'Lead to the page for signing in', answer: leads },
    events: {
      ...get,
      summary: `Events as they happen: ${EVENT_NAMES.join(', ')}`,
      access: 'both',
      query: EventsQuery,
      answer: { ...json, type: EVENTS_TYPE },
      problems: ['too-many-attempts'],
    },
    statement: { ...file, summary: 'Your statement as a file', answer: csv },
    trades: { ...file, summary: 'Your trades as a file', answer: csv, problems: ['not-found'] },
    year: {
      ...file,
      summary: 'Your year as a file',
      query: YearQuery,
      answer: csv,
      problems: ['not-found'],
    },
    tax: {
      ...file,
      summary: 'All that a tax tool imports, as a file in its format',
      query: TaxExportQuery,
      writes: true,
      answer: csv,
      problems: ['too-many-attempts'],
    },
    myData: {
      ...file,
      summary: 'The copy of all your data, by the path of exportData',
      query: DownloadQuery,
      answer: json,
      problems: ['download-invalid'],
    },
    openApi: { ...get, summary: 'This description', answer: json },
    unsubscribe: {
      ...get,
      summary: 'Lead to the settings of notices from the link of a mail',
      answer: leads,
    },
    mcp: ASSISTANT,
  }
}

function plainEndpoints(): Endpoint[] {
  const named = plainRows()
  const names = Object.keys(named) as PlainName[]
  return [
    ...names.map((name) => ({ ...named[name], name, path: plainRoutes[name] })),
    {
      name: 'oneClick',
      summary: 'Send no more mails of a kind, by one press in a mail program',
      method: 'POST',
      path: plainRoutes.unsubscribe,
      access: 'public',
      body: {
        type: 'application/x-www-form-urlencoded',
        schema: z.strictObject({ 'List-Unsubscribe': z.literal('One-Click') }),
      },
      answer: { status: 200, type: JSON_TYPE, schema: Nothing },
    },
  ]
}

const ALWAYS: readonly RefusalCode[] = [
  'invalid-input',
  'request-timed-out',
  'expectation-unknown',
  'wrong-host',
  'headers-too-large',
  'internal',
  'temporarily-unavailable',
]

/** The codes of all refusals of a call, each once. */
export function refusalsOf({
  method,
  path,
  access,
  proof,
  keyed,
  reads,
  writes,
  whileFrozen,
  keys,
  problems = [],
}: Endpoint): RefusalCode[] {
  const isGet = method === 'GET'
  const isChange = !isGet && reads !== true
  const isFreezable = isChange && access === 'user' && whileFrozen !== true
  const isOurSiteOnly = isGet ? writes === true && access === 'user' : !SIGNED_PATHS.has(path)
  const rules: [boolean, ...RefusalCode[]][] = [
    [access === 'user' || access === 'session', 'not-signed-in'],
    [isFreezable, 'account-frozen'],
    [isOurSiteOnly, 'cross-site'],
    [proof !== undefined, 'proof-required', 'account-locked'],
    [path.includes(':'), 'not-found'],
    [!isGet, 'body-too-large', 'unsupported-media-type', 'too-many-attempts', 'busy'],
    [keys !== undefined, 'key-invalid', 'key-network', 'key-scope', 'too-many-attempts'],
    [keyed === true, 'idempotency-key-reused'],
    [!isGet || writes === true, 'outcome-unknown'],
    [!isChange, 'takes-long'],
    [isChange, 'still-under-way'],
  ]
  const byRule = rules.flatMap(([applies, ...codes]) => (applies ? codes : []))
  return [...new Set([...ALWAYS, ...byRule, ...problems])]
}
