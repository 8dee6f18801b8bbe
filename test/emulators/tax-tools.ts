import { parse } from 'csv-parse/sync'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'

/**
 * How the importers of three tax tools read their generic files, written from their documentation
 * and from the behavior of open importers (rotki's own, and staketaxcsv's for the other two). Each
 * row becomes what the tool would book: a kind, and changes by currency.
 */
export type Booked = {
  kind: 'trade' | 'deposit' | 'withdrawal' | 'interest' | 'fee'
  atMs: number
  changes: Map<string, Units>
}

type Cells = Record<string, string>

function rowsOf(text: string, columns: string): Cells[] {
  const [head = [], ...rows] = parse(text, { relax_column_count: false }) as string[][]
  if (head.join(',') !== columns) throw new Error(`unknown columns: ${head.join()}`)
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head[at] ?? '', cell])))
}

/** Importers take plain decimals alone, above or equal to 0. */
function amountOf(text: string): Units {
  if (!/^\d+(\.\d{1,8})?$/.test(text)) throw new Error(`no amount: ${text}`)
  return decimalToUnits(text)
}

function booked(
  kind: Booked['kind'] | undefined,
  atMs: number,
  changes: readonly [currency: string | undefined, amount: string | undefined, sign: 1n | -1n][],
): Booked {
  if (kind === undefined || Number.isNaN(atMs)) throw new Error('a row that no importer takes')
  const sums = new Map<string, Units>()
  for (const [currency = '', amount = '', sign] of changes) {
    if ((currency === '') !== (amount === '')) throw new Error('an amount without its currency')
    if (currency !== '') sums.set(currency, (sums.get(currency) ?? 0n) + sign * amountOf(amount))
  }
  return { kind, atMs, changes: sums }
}

const KOINLY =
  'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,' +
  'Net Worth Amount,Net Worth Currency,Label,Description,TxHash'
const KOINLY_LABELS: Record<string, Booked['kind']> = {
  'lending interest': 'interest',
  cost: 'fee',
}

/** The fee is deducted in addition to the amounts sent and received. */
export function readKoinly(text: string): Booked[] {
  return rowsOf(text, KOINLY).map((row) => {
    const date = row['Date'] ?? ''
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(date)) throw new Error(`no date: ${date}`)
    const [sent, received, label] = [row['Sent Amount'], row['Received Amount'], row['Label']]
    const plain = sent ? (received ? 'trade' : 'withdrawal') : 'deposit'
    return booked(label ? KOINLY_LABELS[label] : plain, Date.parse(date.replace(' UTC', 'Z')), [
      [row['Sent Currency'], sent, -1n],
      [row['Received Currency'], received, 1n],
      [row['Fee Currency'], row['Fee Amount'], -1n],
    ])
  })
}

const COINTRACKING =
  'Type,Buy Amount,Buy Currency,Sell Amount,Sell Currency,Fee,Fee Currency,Exchange,' +
  'Trade-Group,Comment,Date,Tx-ID'
const COINTRACKING_TYPES: Record<string, Booked['kind']> = {
  Trade: 'trade',
  Deposit: 'deposit',
  Withdrawal: 'withdrawal',
  'Interest Income': 'interest',
  'Other Fee': 'fee',
}

/** Amounts include the fee; the fee's own column has no effect. */
export function readCoinTracking(text: string): Booked[] {
  return rowsOf(text, COINTRACKING).map((row) => {
    const isTrade = row['Type'] === 'Trade'
    if (isTrade !== (row['Buy Amount'] !== '' && row['Sell Amount'] !== ''))
      throw new Error('a trade has two sides')
    return booked(COINTRACKING_TYPES[row['Type'] ?? ''], Date.parse(`${row['Date']}Z`), [
      [row['Buy Currency'], row['Buy Amount'], 1n],
      [row['Sell Currency'], row['Sell Amount'], -1n],
    ])
  })
}

const ROTKI_TRADES =
  'Location,Spend Currency,Receive Currency,Receive Amount,Spend Amount,Fee,Fee Currency,' +
  'Description,Timestamp'
const ROTKI_EVENTS = 'Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp'
const ROTKI_TYPES: Record<string, { kind: Booked['kind']; sign: 1n | -1n }> = {
  Deposit: { kind: 'deposit', sign: 1n },
  Withdrawal: { kind: 'withdrawal', sign: -1n },
  Income: { kind: 'interest', sign: 1n },
  Spend: { kind: 'fee', sign: -1n },
}

/** A row whose symbol is ambiguous is dropped, so POL has its identifier. */
const ROTKI_ASSETS: Record<string, string> = {
  ...Object.fromEntries(
    'USD BTC ETH ADA DOT SOL AVAX LINK UNI LTC XRP BNB'.split(' ').map((one) => [one, one]),
  ),
  'eip155:137/erc20:0x0000000000000000000000000000000000001010': 'POL',
}

/** The fee of a trade is a separate event, in addition to the amounts spent and received. */
export function readRotki(trades: string, events: string): Booked[] {
  const time = (text = '') => (/^\d{13}$/.test(text) ? Number(text) : Number.NaN)
  const isKnown = (row: Cells) => {
    if (row['Location'] !== 'external') throw new Error('an unknown location')
    return row
  }
  const asset = (text = '') => {
    const symbol = ROTKI_ASSETS[text]
    if (text !== '' && symbol === undefined) throw new Error(`an unknown asset: ${text}`)
    return symbol
  }
  return [
    ...rowsOf(trades, ROTKI_TRADES)
      .map(isKnown)
      .map((row) =>
        booked('trade', time(row['Timestamp']), [
          [asset(row['Spend Currency']), row['Spend Amount'], -1n],
          [asset(row['Receive Currency']), row['Receive Amount'], 1n],
          [asset(row['Fee Currency']), row['Fee'], -1n],
        ]),
      ),
    ...rowsOf(events, ROTKI_EVENTS)
      .map(isKnown)
      .map((row) => {
        const type = ROTKI_TYPES[row['Type'] ?? '']
        return booked(type?.kind, time(row['Timestamp']), [
          [asset(row['Currency']), row['Amount'], type?.sign ?? 1n],
        ])
      }),
  ]
}
