import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { isTrade, type BookRow, type MoneyReason } from './books.ts'

export const TAX_FORMATS = ['koinly', 'cointracking', 'rotki-trades', 'rotki-events'] as const
/** A file that a tax tool imports. rotki needs two: one for trades, one for other events. */
export type TaxFormat = (typeof TAX_FORMATS)[number]

type Leg = { amount: Units; currency: string }
/** `fee`: in dollars, on top of the money sent, or deducted from the money received. */
type Legs = { sent?: Leg; received?: Leg; fee: Units }

function legsOf(row: BookRow): Legs {
  if (!isTrade(row)) {
    const leg = { amount: row.amount < 0n ? -row.amount : row.amount, currency: 'USD' }
    return row.amount < 0n ? { sent: leg, fee: 0n } : { received: leg, fee: 0n }
  }
  const { side, coin, coins, total, fee } = row
  const leg = { amount: coins, currency: coin }
  return side === 'buy'
    ? { sent: { amount: total - fee, currency: 'USD' }, received: leg, fee }
    : { sent: leg, received: { amount: total + fee, currency: 'USD' }, fee }
}

const text = (amount: Units): string => unitsToDecimal(amount, 8)
const cellsOf = (leg: Leg | undefined): [string, string] =>
  leg ? [text(leg.amount), leg.currency] : ['', '']
const feeCells = (fee: Units): [string, string] =>
  cellsOf(fee === 0n ? undefined : { amount: fee, currency: 'USD' })
const timeText = (atMs: number): string =>
  new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')

type Name = 'trade' | 'in' | 'out' | 'interest' | 'fee'

/** Refunded or paid out money that comes back is treated like a deposit. */
function nameOf(row: BookRow): Name {
  if (isTrade(row)) return 'trade'
  if (row.reason === 'interest' || row.reason === 'fee') return row.reason
  return row.amount < 0n ? 'out' : 'in'
}

/** Source: https://support.koinly.io/en/articles/9490023-what-are-tags */
const KOINLY_TAGS: Record<Name, string> = {
  trade: '',
  in: '',
  out: '',
  interest: 'lending interest',
  fee: 'cost',
}
const COINTRACKING_TYPES: Record<Name, string> = {
  trade: 'Trade',
  in: 'Deposit',
  out: 'Withdrawal',
  interest: 'Interest Income',
  fee: 'Other Fee',
}
const ROTKI_TYPES: Record<Exclude<Name, 'trade'>, string> = {
  in: 'Deposit',
  out: 'Withdrawal',
  interest: 'Income',
  fee: 'Spend',
}

const DESCRIPTIONS: Record<MoneyReason, string> = {
  deposit: 'Card deposit',
  refund: 'Refund or dispute of a card deposit',
  withdrawal: 'Withdrawal to a bank account',
  interest: 'Interest on idle cash',
  fee: 'Fee on profit',
}

/** rotki drops rows whose symbol is ambiguous, but accepts its own unique identifiers. */
const ROTKI_IDS: Readonly<Record<string, string>> = {
  POL: 'eip155:137/erc20:0x0000000000000000000000000000000000001010',
}
const rotkiId = (currency: string): string => ROTKI_IDS[currency] ?? currency

/** `from`: the name of this book, which includes whether it is paper. */
type Line = (row: BookRow, from: string) => readonly string[] | undefined

/**
 * Columns as each tool documents them, and the line of a row; undefined if the file leaves the row
 * out.
 */
export const TAX_FILES: Record<TaxFormat, { head: string; line: Line }> = {
  // Amounts are without the fee. Source: https://support.koinly.io/en/articles/9489976
  koinly: {
    head:
      'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,' +
      'Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
    line: (row, from) => {
      const { sent, received, fee } = legsOf(row)
      return [
        `${timeText(row.atMs)} UTC`,
        ...cellsOf(sent),
        ...cellsOf(received),
        ...feeCells(fee),
        '',
        '',
        KOINLY_TAGS[nameOf(row)],
        describe(row, from),
        row.id,
      ]
    },
  },
  // Amounts include the fee. Source:
  // https://cointracking.freshdesk.com/en/support/solutions/articles/29000007202
  cointracking: {
    head:
      'Type,Buy Amount,Buy Currency,Sell Amount,Sell Currency,Fee,Fee Currency,Exchange,' +
      'Trade-Group,Comment,Date,Tx-ID',
    line: (row, from) => {
      const { sent, received, fee } = legsOf(row)
      const net = (leg: Leg | undefined, change: Units) =>
        leg?.currency === 'USD' ? { ...leg, amount: leg.amount + change } : leg
      return [
        COINTRACKING_TYPES[nameOf(row)],
        ...cellsOf(net(received, -fee)),
        ...cellsOf(net(sent, fee)),
        ...feeCells(fee),
        from,
        '',
        describe(row, from),
        timeText(row.atMs),
        row.id,
      ]
    },
  },
  // Amounts are without the fee, times in milliseconds. Source: rotki's guide, "rotki Generic
  // Import".
  'rotki-trades': {
    head:
      'Location,Spend Currency,Receive Currency,Receive Amount,Spend Amount,Fee,Fee Currency,' +
      'Description,Timestamp',
    line: (row, from) => {
      if (!isTrade(row)) return undefined
      const { sent, received, fee } = legsOf(row)
      const [spent, spentCurrency] = cellsOf(sent)
      const [got, gotCurrency] = cellsOf(received)
      const currencies = [spentCurrency, gotCurrency].map(rotkiId)
      const cells = ['external', ...currencies, got, spent, ...feeCells(fee)]
      return [...cells, describe(row, from), String(row.atMs)]
    },
  },
  'rotki-events': {
    head: 'Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp',
    line: (row, from) => {
      const name = nameOf(row)
      if (name === 'trade') return undefined
      const { sent, received } = legsOf(row)
      const [amount, currency] = cellsOf(sent ?? received)
      const cells = [ROTKI_TYPES[name], 'external', currency, amount, '', '']
      return [...cells, describe(row, from), String(row.atMs)]
    },
  },
}

function describe(row: BookRow, from: string): string {
  if (!isTrade(row)) return `${from}: ${DESCRIPTIONS[row.reason]}`
  return `${from}: ${row.side === 'buy' ? 'Bought' : 'Sold'} ${row.coin}`
}
