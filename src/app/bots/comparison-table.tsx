import type { ReactNode } from 'react'
import type { Comparison } from '#contract/comparison.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { pairsText } from '#app/market/pair-text.ts'
import { Change } from '#app/ui/money/change.tsx'
import { Percent } from '#app/ui/money/percent.tsx'

/** The figures of both, side by side. */
export function ComparisonTable({
  comparison: { bot, other, from, to, disclaimer },
}: {
  comparison: Comparison
}) {
  const { momentText, periodText } = useMarketTime()
  const sides = [bot, other]
  const isChanged = sides.some(({ settingsSince }) => settingsSince !== null)
  return (
    <>
      {/* Figures side by side need their width at very large text: the table scrolls, not the page. */}
      <div className="mt-6 overflow-x-auto">
        <table className="w-full text-left text-14">
          <caption className="pb-2 text-left text-ink2">
            {t('{period}, after all costs, as if closed at the end', {
              period: periodText(from, to),
            })}
          </caption>
          <thead>
            <tr className="border-b border-ink align-bottom">
              <th scope="col" className="sr-only">
                {t('Figure')}
              </th>
              {sides.map(({ name, hypothetical }, place) => (
                <th
                  key={place}
                  scope="col"
                  className="py-2 pl-3 text-right font-semibold break-words"
                >
                  {name}
                  {hypothetical && (
                    <span className="block font-normal text-ink2">{t('hypothetical')}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-hairline">
            <Row
              title={t('Result')}
              cells={sides.map(({ change }) => (
                <Change key={0} percent={change} />
              ))}
            />
            <Row
              title={t('Largest drop')}
              cells={sides.map(({ deepestFall }) => (
                <Percent key={0} value={deepestFall} sign="never" />
              ))}
            />
            <Row title={t('Strategy')} cells={sides.map(strategyTitle)} />
            <Row
              title={t('Pairs')}
              cells={sides.map(({ tradingPairs }) => pairsText(tradingPairs))}
            />
            {isChanged && (
              <Row
                title={t('Strategy and pairs since')}
                cells={sides.map(({ settingsSince }) => momentText(settingsSince ?? from))}
              />
            )}
          </tbody>
        </table>
      </div>
      <p className="pt-3 text-14 text-ink2">
        {t('Money put in or taken out is neither a gain nor a loss here.')}
      </p>
      {disclaimer !== null && <p className="pt-2 text-14 text-ink2">{disclaimer}</p>}
    </>
  )
}

function Row({ title, cells }: { title: string; cells: readonly ReactNode[] }) {
  return (
    <tr>
      <th scope="row" className="py-2 font-normal text-ink2">
        {title}
      </th>
      {cells.map((cell, place) => (
        <td key={place} className="py-2 pl-3 text-right">
          {cell}
        </td>
      ))}
    </tr>
  )
}
