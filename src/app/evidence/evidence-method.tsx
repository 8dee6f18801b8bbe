import { Fragment, type ReactNode } from 'react'
import type { Evidence, EvidenceFigures } from '#contract/evidence.ts'
import { countText } from '#words/figures.ts'
import { msg, say, t, tCount } from '#words/words.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Money, Percent } from '#app/ui/money/money.tsx'
import { pairsText } from '#app/market/market-text.ts'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Door } from '#app/ui/frame/door.tsx'

type Shown = Extract<Evidence, { state: 'figures' }>

export function EvidenceMethod({
  figures,
  source,
  note,
  disclaimer,
  children,
}: Pick<Shown, 'figures' | 'source' | 'note' | 'disclaimer'> & {
  children: ReactNode
}) {
  return (
    <Door title={t('How it was computed')} note={t('Prices, costs, limits')}>
      {children}
      <Method figures={figures} source={source} />
      <Coverage figures={figures} />
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'The same rules, orders and fees as in trading, hour by hour. At the end ' +
            'everything is sold, and our fee is charged once, on any profit. Neighboring ' +
            'start days share most of their year, so the outcomes are not independent of ' +
            'each other.',
        )}
      </p>
      {note !== null && <p className="pt-3 text-14 text-pretty text-ink2">{note}</p>}
      <p className="pt-3 text-14 text-pretty text-ink2">{disclaimer}</p>
    </Door>
  )
}

function Method({ figures, source }: Pick<Shown, 'figures' | 'source'>) {
  return (
    <Receipt
      lines={[
        { label: t('Period'), value: `${utcDayText(figures.from)} – ${utcDayText(figures.to)}` },
        { label: t('Start days'), value: countText(figures.windows) },
        {
          label: t('Each runs for'),
          value: tCount(figures.windowDays, { one: '{count} day', other: '{count} days' }),
        },
        { label: t('Each begins with'), value: <Money own={false} amount={figures.invested} /> },
        { label: t('Pairs, equally weighted'), value: pairsText(figures.pairs) },
        ...COSTS.map(([cost, name]) => ({
          label: say(name),
          value: <Percent value={figures.costs[cost]} sign="never" />,
        })),
        source !== null && {
          label: t('Source of the prices'),
          value: <Source address={source} />,
        },
        { label: t('Engine'), value: <code className="text-14">{figures.engineVersion}</code> },
        {
          label: t('Data, SHA-256'),
          value: <code className="text-14 wrap-anywhere">{figures.dataHash}</code>,
        },
      ]}
    />
  )
}

const COSTS = [
  ['tradingFee', msg('Trading fee')],
  ['halfSpread', msg('Half the spread')],
  ['slippage', msg('Slippage')],
  ['platformFee', msg('Our fee on profit')],
  ['holdFee', msg('The same for hold bots')],
  ['cashYield', msg('Interest on idle cash per year')],
] as const

function Source({ address }: { address: string }) {
  return (
    <span lang="en" translate="no" className="text-14">
      {address.split(/(?<=\/)/).map((part) => (
        <Fragment key={part}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  )
}

/** The windows of each pair, because pairs may be part of only some windows. */
function Coverage({ figures: { coverage, windows } }: { figures: EvidenceFigures }) {
  const partly = coverage.filter((pair) => pair.windows < windows)
  if (partly.length === 0) return null
  return (
    <div className="pt-3 text-14 text-pretty text-ink2">
      <p>
        {t(
          'A bot trades the pairs with enough price history on its start day. If a ' +
            "pair's prices end earlier, it is sold at the last price. A failed coin may " +
            'have returned less.',
        )}
      </p>
      <ul className="list-disc pt-1 pl-5">
        {partly.map(({ pair, from, to, windows: count }) => (
          <li key={pair}>
            {count === 0
              ? t('{pair}: prices from {from} to {to}, too few for 12 months', {
                  pair,
                  from: utcDayText(from),
                  to: utcDayText(to),
                })
              : t('{pair}: prices from {from} to {to}, in {count} of {all} start days', {
                  pair,
                  from: utcDayText(from),
                  to: utcDayText(to),
                  count: countText(count),
                  all: countText(windows),
                })}
          </li>
        ))}
      </ul>
    </div>
  )
}
