import type { Query, QueryClient } from '@tanstack/react-query'
import type { PoolStates } from '#contract/holdings.ts'
import type { Portfolio, Prices, PriceTicks } from '#contract/market.ts'
import type { ResponseOf } from '#contract/calls.ts'
import { VALUED } from '#contract/query-key.ts'
import { overlap } from '#core/market/overlap.ts'
import { steadyMs } from '#app/ui/device/clock.ts'
import { answeredMs, noteAnswer } from './answer-times.ts'
import { performanceAt, type MarketNow } from './bot-at.ts'
import { call } from './call.ts'
import { curveAt } from './curve-at.ts'
import { portfolioAt } from './portfolio-at.ts'

const LIVE = [...VALUED, 'getBalanceCurve'] as const
type LiveName = (typeof LIVE)[number]
type Now = MarketNow & { client: QueryClient }
type At<Name extends LiveName> = (answer: ResponseOf<Name>, now: Now) => ResponseOf<Name>

const AT: { [Name in LiveName]: At<Name> } = {
  getPortfolio: portfolioAt,
  getBotPerformance: performanceAt,
  getBalanceCurve: (curve, { client }) => {
    const portfolio = client.getQueryData<Portfolio>(['getPortfolio'])
    return portfolio ? curveAt(curve, portfolio) : curve
  },
}

const LOAD_PACE_MS = 5_000

/**
 * Maximum age of an answer stored for offline use; then it is replaced by the figures computed
 * since.
 */
const KEPT_MS = 30_000

type LiveFigures = {
  prices: (ticks: PriceTicks) => void
  pools: (states: PoolStates) => void
  forget: () => void
  close: () => void
}

/**
 * Computes worth, and all figures that depend on it, from the holdings of an answer. Runs at each
 * event, and when an answer arrives, because the server may have read it before the last event.
 * Also extends curves.
 */
export function openLiveFigures(client: QueryClient): LiveFigures {
  let states: PoolStates = {}
  let ticks: PriceTicks = {}
  const loadPrices = priceLoader(client)
  const value = () => {
    const { data: prices, status } = client.getQueryState<Prices>(['getPrices']) ?? {}
    if (prices === undefined || status === 'error') loadPrices()
    if (prices) for (const name of LIVE) revalue(name, { prices, states, client })
  }
  const addTicks = (newer: PriceTicks) =>
    client.setQueryData<Prices>(['getPrices'], (prices) => prices && withTicks(prices, newer))
  return {
    prices: (changed) => {
      ticks = { ...ticks, ...changed }
      addTicks(changed)
      value()
    },
    pools: (changed) => {
      const newer = Object.entries(changed).filter(
        ([id, { number }]) => number > (states[id]?.number ?? 0),
      )
      states = { ...states, ...Object.fromEntries(newer) }
      value()
    },
    forget: () => {
      states = {}
      ticks = {}
    },
    close: onAnswer(client, ({ queryKey: [name], state }) => {
      if (name === 'getPrices') addTicks(ticksAfter(state.data as Prices, ticks))
      if (name === 'getPrices' || LIVE.some((live) => live === name)) value()
    }),
  }
}

/**
 * Runs `act` on answers of the server, but not on figures computed on this page. Returns a stop
 * function.
 */
function onAnswer(client: QueryClient, act: (query: Query) => void): () => void {
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    if (event.action.manual !== true) act(event.query)
  })
}

/**
 * Loads the prices if no screen has yet, because worth is computed from them; at most once per
 * `LOAD_PACE_MS`.
 */
function priceLoader(client: QueryClient): () => void {
  let dueMs = -Infinity
  return () => {
    if (steadyMs() < dueMs) return
    dueMs = steadyMs() + LOAD_PACE_MS
    void client.prefetchQuery({
      queryKey: ['getPrices'],
      queryFn: ({ signal }) => call('getPrices', { signal }),
      staleTime: 0,
    })
  }
}

function ticksAfter(prices: Prices, ticks: PriceTicks): PriceTicks {
  return Object.fromEntries(
    Object.entries(ticks).filter(([symbol, { at }]) => at > (prices[symbol]?.at ?? at)),
  )
}

/**
 * Updates hidden screens too, so that they open with their present worth. A stale answer stays
 * stale, and an error stays visible.
 */
function revalue<Name extends LiveName>(name: Name, now: Now): void {
  const at: At<Name> = AT[name]
  const { client } = now
  for (const query of client.getQueryCache().findAll({ queryKey: [name] })) {
    const {
      queryKey,
      state: { data, status, isInvalidated, dataUpdatedAt },
    } = query
    const answer = data as ResponseOf<Name> | undefined
    const valued = answer && at(answer, now)
    if (valued === answer || status !== 'success') continue
    const isKept = steadyMs() - answeredMs(query) < KEPT_MS
    client.setQueryData(queryKey, valued, isKept ? { updatedAt: dataUpdatedAt } : {})
    if (!isKept) noteAnswer(query)
    if (isInvalidated) void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  }
}

/**
 * Number of hourly closes that the server sends with the prices. A copy, because an import from the
 * contract would load its schemas.
 */
const TRACE_HOURS = 24

/**
 * Extends the traces by the hours that closed; already known ones are not added twice. A trace that
 * the page left out stays empty, because it would begin with the last hours.
 */
export function withTicks(prices: Prices, ticks: PriceTicks): Prices {
  const changed = Object.entries(ticks).flatMap(([symbol, { closes = [], ...tick }]) => {
    const before = prices[symbol]
    if (before === undefined) return []
    const trace =
      closes.length === 0 || before.trace.length === 0
        ? before.trace
        : [...before.trace, ...closes.slice(overlap(before.trace, closes))].slice(-TRACE_HOURS)
    return [[symbol, { ...before, ...tick, trace }] as const]
  })
  return { ...prices, ...Object.fromEntries(changed) }
}
