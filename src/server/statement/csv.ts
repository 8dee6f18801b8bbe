import type { CoinResult, YearStatement } from '#contract/statement.ts'
import { csvCell, CSV_STYLES, csvLine, csvNumber, type CsvStyle } from '#core/csv-cell.ts'
import { TAX_FILES, type TaxFormat } from '#core/statement/tax-format.ts'
import { t } from '#words/words.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import type { Config } from '#server/settings/config.ts'
import { streamBookRows } from './book-rows.ts'

type Book = Config['BOOK']

/**
 * Names of books. Paper money is named, because the file may end up beside files of real accounts.
 */
const BOOK_NAMES: Record<Book, string> = {
  paper: 'Trading Bot (paper money)',
  live: 'Trading Bot',
}

const HEAD = 'year,item,coin,amount,currency,account'

/** The changes that add up from the worth at the beginning to that at the end. */
const ITEMS = [
  ['worth at the beginning', 'opening'],
  ['deposits', 'deposits'],
  ['refunds and disputes', 'refunds'],
  ['withdrawals', 'withdrawals'],
  ['realized results (first in first out)', 'realized'],
  ['interest', 'interest'],
  ['fees on profit', 'fees'],
  ['not realized: change in the worth of what bots hold', 'unrealized'],
  ['worth at the end', 'closing'],
  ['realized results (average cost)', 'realizedByAverage'],
  ['trading fees (contained in the results)', 'tradingFees'],
] as const

const coinItems = ({ coin, quantity, proceeds, fifo, average }: CoinResult) => [
  ['quantity sold', quantity, coin],
  ['proceeds', proceeds, 'USD'],
  ['cost (first in first out)', fifo.cost, 'USD'],
  ['result (first in first out)', fifo.result, 'USD'],
  ['cost (average)', average.cost, 'USD'],
  ['result (average)', average.result, 'USD'],
]

/** One figure a line. */
export function yearCsv(
  statement: YearStatement,
  { style, book }: { style: CsvStyle; book: Book },
): string {
  const line = ([item = '', amount = '', currency = '', coin = '']: readonly string[]) =>
    csvLine(
      [statement.year, csvCell(item), coin, csvNumber(amount, style), currency, BOOK_NAMES[book]],
      style,
    )
  return [
    style.mark + csvLine(HEAD.split(','), style),
    ...ITEMS.map(([item, name]) => line([item, statement[name], 'USD'])),
    ...statement.coins.flatMap((each) =>
      coinItems(each).map((cells) => line([...cells, each.coin])),
    ),
    line([t('This is no tax advice.')]),
  ].join('')
}

/**
 * The whole life of the account, at one moment: what coins cost depends on all earlier years. Read
 * before it is sent, so that a slow download keeps no connection of the database.
 */
export function taxCsv(
  sql: Sql,
  { userId, format, book }: { userId: string; format: TaxFormat; book: Book },
): Promise<string[]> {
  const { head, line } = TAX_FILES[format]
  const print = (cells: readonly string[] | undefined) =>
    cells ? csvLine(cells.map(csvCell), CSV_STYLES.en) : ''
  return atOneMoment(sql, async (tx) => {
    const parts = [print(head.split(','))]
    for await (const rows of streamBookRows(tx, userId))
      parts.push(rows.map((row) => print(line(row, BOOK_NAMES[book]))).join(''))
    return parts
  })
}
