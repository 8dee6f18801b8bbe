import { expect, test } from 'vitest'
import {
  exportQuery,
  filtersText,
  NO_FILTERS,
  queryOf,
  readFilters,
  withFilters,
} from './filters.ts'

const BOT = '019aab12-3c4d-7000-8000-000000000001'
const read = (address: string) => readFilters(new URLSearchParams(address))

test('an address is read into its filters, and written back', () => {
  const address = `type=trade&bot=${BOT}&from=2026-11-01&to=2026-11-22&q=sold+btc`
  expect(read(address)).toEqual({
    type: 'trade',
    bot: BOT,
    from: '2026-11-01',
    to: '2026-11-22',
    q: 'sold btc',
  })
  expect(filtersText(read(address))).toBe(address)
})

test.each([
  '',
  'type=all',
  'type=constructor',
  'bot=1',
  'from=yesterday',
  'from=2026-13-01',
  'to=0001-01-01',
  'q=%20%20',
  'receipt=1',
])('%j has no filters', (address) => {
  expect(read(address)).toEqual(NO_FILTERS)
  expect(filtersText(read(address))).toBe('all')
})

test('a changed filter leaves the others and the rest of the address alone', () => {
  const next = withFilters(new URLSearchParams(`receipt=1&bot=${BOT}&q=btc`), {
    q: '',
    type: 'trade',
  })
  expect(next.toString()).toBe(`receipt=1&bot=${BOT}&type=trade`)
})

test('a period lasts from the start of its first day to the end of its last, local time', () => {
  const { from = '', to = '' } = queryOf({ ...NO_FILTERS, from: '2026-11-01', to: '2026-11-01' })
  expect([new Date(from), new Date(to)]).toEqual([new Date(2026, 10, 1), new Date(2026, 10, 2)])
})

test('an export is filtered by bot and period only', () => {
  expect(exportQuery({ ...NO_FILTERS, type: 'trade', bot: BOT, q: 'btc' })).toBe(`?bot=${BOT}`)
  expect(exportQuery(NO_FILTERS)).toBe('')
})

test('a text too long to search for is not cut into a filter', () => {
  expect(read(`q=${'q'.repeat(101)}`).q).toBe('')
  expect(read(`q=+${'q'.repeat(100)}+`).q).toBe('q'.repeat(100))
})
