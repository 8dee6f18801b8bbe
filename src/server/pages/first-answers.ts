import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { firstQueries } from '#contract/first-queries.ts'
import type { Portfolio, Prices } from '#contract/market.ts'
import { FIRST_COINS, type FirstAnswers } from '#contract/page-data.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { calls } from '#contract/calls.ts'
import { screenAt, screens } from '#contract/screens.ts'
import { pairOfMarketId } from '#core/market/pair.ts'
import { Refusal } from '#core/refusal.ts'
import { sessionControl } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { handlers } from '#server/http/handlers.ts'
import { clientOf, contextOf } from '#server/http/register-routes.ts'
import { isId } from '#server/kernel/ids.ts'

/** Half of a request's time, because a page that lacks one answer is better than none. */
const PATIENCE_MS = 5_000

type Visit = {
  context: Context
  request: FastifyRequest
  reply: FastifyReply
  userId: string | undefined
}

/**
 * An answer that takes too long is left out: the app then sends the query itself and shows what is
 * wrong.
 */
export async function readFirstAnswers(
  given: Omit<Visit, 'userId'>,
  { path, isDesk }: Shown,
): Promise<FirstAnswers> {
  const user = await readUser(given)
  const visit = { ...given, userId: user?.id }
  const keys: QueryKey[] = [['getConfig'], ...queriesAt(path, user !== null)]
  const answers = await Promise.all(
    keys.map(async (key) => [key.join('/'), await readOrOmit(visit, key)] as const),
  )
  const known = Object.fromEntries(answers.filter(([, answer]) => answer !== undefined))
  return { getUser: user, ...withoutHidden(known, { path, isDesk }) }
}

type Shown = { path: string; isDesk: boolean }

/**
 * Leaves out the closes of charts that the page does not show, which the app fetches to show them,
 * and on Home the evidence if there are bots. So pages fit into the first packets.
 */
function withoutHidden(answers: FirstAnswers, { path, isDesk }: Shown): FirstAnswers {
  const isHome = path === screens.home.path
  const portfolio = answers['getPortfolio'] as Portfolio | undefined
  const isCharted = (symbol: string, row: number) =>
    isHome ? isDesk || row < FIRST_COINS : path === `/market/${symbol}-USD`
  return Object.fromEntries(
    Object.entries(answers)
      .filter(([name]) => !isHome || name !== 'getEvidenceSummary' || portfolio?.firstStep !== null)
      .map(([name, answer]) =>
        name === 'getPrices' ? [name, withTraces(answer as Prices, isCharted)] : [name, answer],
      ),
  )
}

function withTraces(prices: Prices, isCharted: (symbol: string, row: number) => boolean): Prices {
  return Object.fromEntries(
    Object.entries(prices).map(([symbol, price], row) => [
      symbol,
      isCharted(symbol, row) ? price : { ...price, trace: [] },
    ]),
  )
}

async function readUser(given: Omit<Visit, 'userId'>): Promise<{ id: string } | null> {
  try {
    const user = await read({ ...given, userId: undefined }, ['getUser'])
    return user as { id: string }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-signed-in') return null
    throw error
  }
}

function queriesAt(path: string, isSignedIn: boolean): readonly QueryKey[] {
  const screen = screenAt(path, isSignedIn)
  if (!screen) return []
  const keys = firstQueries(screen.name)
  if (!screen.path.includes(':id')) return keys
  const [, , id = ''] = path.split('/')
  const isKnown = isId(id) || pairOfMarketId(id) !== undefined
  return isKnown ? keys.map((key) => withId(key, id)) : []
}

function withId([name, ...parts]: QueryKey, id: string): QueryKey {
  const key: readonly [QueryKey[0], ...string[]] = [
    name,
    ...parts.map((part) => (part === ':id' ? id : part)),
  ]
  return key as QueryKey
}

async function readOrOmit(visit: Visit, key: QueryKey): Promise<unknown> {
  try {
    if (isStillComputed(visit.context, key)) return undefined
    return await Promise.race([read(visit, key), delay(PATIENCE_MS, undefined, { ref: false })])
  } catch (error) {
    if (!(error instanceof Refusal))
      visit.context.log.error(error, `a page was sent without ${key.join('/')}`)
    return undefined
  }
}

/** Whether figures are still being computed. The page does not wait for them; the app does. */
function isStillComputed(context: Context, [name]: QueryKey): boolean {
  if (name === 'getTrackRecord') return !context.record.isReady()
  return (
    (name === 'getEvidence' || name === 'getEvidenceSummary') &&
    context.evidence.now().state === 'computing'
  )
}

/** Runs the call's action, and checks its answer against the contract. */
async function read({ context, request, reply, userId }: Visit, key: QueryKey): Promise<unknown> {
  const [name] = key
  const handler = handlers[name] as (context: Context, call: object) => Promise<unknown>
  const call = {
    query: {},
    ...inputOf(key),
    userId,
    client: clientOf(request),
    idempotencyKey: undefined,
    session: sessionControl(context, { request, reply }),
    gone: new AbortController().signal,
  }
  return calls[name].response.parse(await handler(contextOf(context, name), call))
}

/** Input that the app sends for this query key. */
function inputOf([name, argument, range]: QueryKey): { params?: object; query?: object } {
  if (name === 'getMarket') return { params: { id: argument }, query: { range } }
  // The page has the default comparison; the app requests any other.
  if (name === 'compareBot') return { params: { id: argument } }
  if (name === 'getBalanceCurve') return { query: { range: argument } }
  // The page has the unfiltered list and the present year; the app requests any other.
  if (name === 'listTransactions' || name === 'getStatement') return {}
  return argument === undefined ? {} : { params: { id: argument } }
}
