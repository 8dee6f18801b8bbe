import { MAX_SEARCH } from '#contract/query-values.ts'
import type { Transaction } from '#contract/transactions.ts'
import type { RequestOf } from '#contract/calls.ts'
import { msg } from '#words/words.ts'

type Query = NonNullable<RequestOf<'listTransactions'>['query']>

/**
 * The filters in the address of the history, as text, empty without a filter. `from` and `to`:
 * days, `to` included.
 */
export type Filters = {
  type: Transaction['type'] | ''
  bot: string
  from: string
  to: string
  q: string
}

const NAMES = ['type', 'bot', 'from', 'to', 'q'] as const
export const NONE_YET: Record<Transaction['type'], string> = {
  deposit: msg('No deposits yet'),
  trade: msg('No trades yet'),
  withdrawal: msg('No withdrawals yet'),
  transfer: msg('No transfers yet'),
  refund: msg('No refunds yet'),
  dispute: msg('No disputes yet'),
}

const DAY = /^(19[7-9]|2\d\d)\d-\d\d-\d\d$/
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function readFilters(search: URLSearchParams): Filters {
  const text = (name: (typeof NAMES)[number]) => search.get(name) ?? ''
  const day = (name: 'from' | 'to') =>
    DAY.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : ''
  return {
    type: Object.keys(NONE_YET).includes(text('type')) ? (text('type') as Transaction['type']) : '',
    bot: ID.test(text('bot')) ? text('bot') : '',
    from: day('from'),
    to: day('to'),
    q: text('q').trim().length > MAX_SEARCH ? '' : text('q').trim(),
  }
}

export function withFilters(search: URLSearchParams, changed: Partial<Filters>): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const [name, text] of Object.entries(changed)) {
    if (text === '') next.delete(name)
    else next.set(name, text)
  }
  return next
}

export const NO_FILTERS: Filters = { type: '', bot: '', from: '', to: '', q: '' }

/** 'all', or the filters in a canonical form: the cache key of a list. */
export function filtersText(filters: Filters): string {
  return withFilters(new URLSearchParams(), filters).toString() || 'all'
}

/** The query for the filters. Days begin and end by the clock of this device. */
export function queryOf({ type, bot, from, to, q }: Filters): Query {
  return {
    ...(type && { type }),
    ...(bot && { bot }),
    ...(from && { from: startOf(from).toISOString() }),
    ...(to && { to: startOf(to, 1).toISOString() }),
    ...(q && { q }),
  }
}

export function exportQuery(filters: Filters): string {
  const text = new URLSearchParams(
    queryOf({ ...filters, type: '', q: '' }) as Record<string, string>,
  ).toString()
  return text && `?${text}`
}

function startOf(day: string, daysLater = 0): Date {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + daysLater)
  return start
}
