import type { YearStatement } from '#contract/statement.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { t } from '#words/words.ts'
import { Section } from '#app/ui/frame/section.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'

type Shown = { statement: YearStatement }

/** Realized results by both methods, and the trading fees included in them. */
export function CoinResults({ statement }: Shown) {
  return (
    <Section title={t('Realized results by coin')}>
      {statement.coins.length === 0 ? (
        <p className="text-16 text-ink2">{t('No coins were sold.')}</p>
      ) : (
        // At very large text, only the table scrolls, not the page.
        <div className="overflow-x-auto">
          <table className="w-full text-right text-12 min-[375px]:text-14">
            <caption className="sr-only">{t('Realized results by coin')}</caption>
            <Head />
            <Rows statement={statement} />
          </table>
        </div>
      )}
      <Receipt
        lines={[
          {
            label: t('Trading fees paid, contained in costs and results'),
            value: <Money amount={statement.tradingFees} />,
          },
        ]}
      />
    </Section>
  )
}

function Head() {
  return (
    <thead>
      <tr className="border-b border-ink align-bottom text-ink2 *:py-2 *:font-normal">
        <th scope="col" className="text-left">
          {t('Coin')}
        </th>
        <th scope="col" className="pl-2">
          {t('Sold for')}
        </th>
        <th scope="col" className="pl-2">
          {t('Result, first in, first out')}
        </th>
        <th scope="col" className="pl-2">
          {t('Result, average cost')}
        </th>
      </tr>
    </thead>
  )
}

function Rows({ statement: { coins, realized, realizedByAverage } }: Shown) {
  return (
    <tbody>
      {coins.map(({ coin, quantity, proceeds, fifo, average }) => (
        <tr key={coin} className="border-b border-hairline align-top">
          <th scope="row" className="py-3 text-left font-normal">
            <span className="block font-semibold">{ASSET_NAMES[coin]}</span>
            <Money amount={quantity} asset={coin} precision="coin" />
          </th>
          <td className="py-3 pl-2">
            <Money amount={proceeds} />
          </td>
          <Result amount={fifo.result} />
          <Result amount={average.result} />
        </tr>
      ))}
      <tr className="font-semibold">
        <th scope="row" colSpan={2} className="py-3 text-left font-semibold">
          {t('Total')}
        </th>
        <Result amount={realized} />
        <Result amount={realizedByAverage} />
      </tr>
    </tbody>
  )
}

function Result({ amount }: { amount: string }) {
  return (
    <td className="py-3 pl-2">
      <Money amount={amount} sign="always" />
    </td>
  )
}
