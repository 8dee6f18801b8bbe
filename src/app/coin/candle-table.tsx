import { useId, useState } from 'react'
import { say, t } from '#words/words.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { Money } from '#app/ui/money/money.tsx'
import type { Candles } from './chart-data.ts'
import { PRICE_NAMES } from './price-names.ts'

/** The candles as a table, newest first, for everybody to whom a picture says little. */
export function CandleTable({ name, candles }: { name: string; candles: Candles }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Button
        look="quiet"
        className="-ml-2"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {open ? t('Hide the table') : t('Show as a table')}
      </Button>
      <div id={id}>{open && <Table name={name} candles={candles} />}</div>
    </>
  )
}

const COLUMNS = ['open', 'high', 'low', 'close'] as const

/** On a phone the open is left out: it is where the candle before closed. */
const fitOf = (column: (typeof COLUMNS)[number]): string =>
  column === 'open' ? 'max-sm:hidden' : ''

function Table({ name, candles }: { name: string; candles: Candles }) {
  const { momentText } = useMarketTime()
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-right text-14 max-[359px]:text-12">
        <caption className="sr-only">{t('Prices of {coin}, newest first', { coin: name })}</caption>
        <thead>
          <tr className="border-b border-ink">
            <th scope="col" className="py-2 text-left font-medium">
              {t('Opened')}
            </th>
            {COLUMNS.map((column) => (
              <th
                key={column}
                scope="col"
                className={`py-2 pl-2 sm:pl-3 font-medium capitalize ${fitOf(column)}`}
              >
                {say(PRICE_NAMES[column])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">
          {candles.toReversed().map((candle) => (
            <tr key={candle.at}>
              <th scope="row" className="py-2 text-left font-normal text-ink2">
                {momentText(candle.at)}
              </th>
              {COLUMNS.map((column) => (
                <td key={column} className={`py-2 pl-2 sm:pl-3 ${fitOf(column)}`}>
                  <Money amount={candle[column]} precision="price" />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
