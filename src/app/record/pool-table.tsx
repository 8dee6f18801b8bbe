import type { RecordedPool } from '#contract/track-record.ts'
import { t } from '#words/words.ts'
import { pairText } from '#app/market/pair-text.ts'
import { Change } from '#app/ui/money/change.tsx'
import { bpsText } from './record-text.ts'

/** The results by pair, those that everybody has left and those that nobody used included. */
export function PoolTable({ pools, caption }: { pools: readonly RecordedPool[]; caption: string }) {
  const columns = [t('Here'), t('Backtest'), t('Gap')]
  return (
    // Figures side by side need their width at very large text: the table scrolls, not the page.
    <div className="overflow-x-auto">
      <table className="w-full text-right text-14">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-ink">
            <th scope="col" className="py-2 text-left font-normal text-ink2">
              {t('Pair')}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="py-2 pl-2 font-normal text-ink2">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">
          {pools.map((pool) => (
            <PoolRow key={pool.id} pool={pool} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PoolRow({ pool: { pair, state, real, backtest, gap } }: { pool: RecordedPool }) {
  return (
    <tr>
      <th scope="row" className="py-2 text-left font-semibold">
        {pairText(pair)}
        {state === 'empty' && (
          <span className="block font-normal text-ink2">{t('No bot uses it now')}</span>
        )}
      </th>
      {state === 'never' ? (
        <td colSpan={3} className="py-2 pl-2 text-ink2">
          {t('No bot has used it yet')}
        </td>
      ) : (
        <>
          <td className="py-2 pl-2">
            <Change percent={real} />
          </td>
          <td className="py-2 pl-2">
            {backtest === null ? t('None') : <Change percent={backtest} />}
          </td>
          <td className="py-2 pl-2 whitespace-nowrap">{gap ? bpsText(gap.total) : t('None')}</td>
        </>
      )}
    </tr>
  )
}
