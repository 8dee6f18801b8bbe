import { Fragment } from 'react'
import type { EvidenceFigures } from '#contract/evidence.ts'
import { groupDigits } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Money, Percent } from '#app/ui/money/money.tsx'
import { pairsText } from '#app/market/market-text.ts'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { Section } from '#app/ui/frame/section.tsx'

export function EvidenceMethod({
  figures,
  source,
}: {
  figures: EvidenceFigures
  source: string | null
}) {
  const { costs } = figures
  return (
    <Section title={t('How it was computed')}>
      <Receipt>
        <ReceiptLine label={t('Period')}>
          {utcDayText(figures.from)} – {utcDayText(figures.to)}
        </ReceiptLine>
        <ReceiptLine label={t('Start days')}>{digits(figures.windows)}</ReceiptLine>
        <ReceiptLine label={t('Each runs for')}>
          {tCount(figures.windowDays, { one: '{count} day', other: '{count} days' })}
        </ReceiptLine>
        <ReceiptLine label={t('Each begins with')}>
          <Money own={false} amount={figures.invested} />
        </ReceiptLine>
        <ReceiptLine label={t('Pairs, equal parts')}>{pairsText(figures.pairs)}</ReceiptLine>
        <ReceiptLine label={t('Trading fee')}>
          <Percent value={costs.tradingFee} sign="never" />
        </ReceiptLine>
        <ReceiptLine label={t('Half the spread')}>
          <Percent value={costs.halfSpread} sign="never" />
        </ReceiptLine>
        <ReceiptLine label={t('Slippage')}>
          <Percent value={costs.slippage} sign="never" />
        </ReceiptLine>
        <ReceiptLine label={t('Our fee on profit')}>
          <Percent value={costs.platformFee} sign="never" />
        </ReceiptLine>
        <ReceiptLine label={t('The same, a bot that holds')}>
          <Percent value={costs.holdFee} sign="never" />
        </ReceiptLine>
        <ReceiptLine label={t('Interest on idle cash, a year')}>
          <Percent value={costs.cashYield} sign="never" />
        </ReceiptLine>
        {source !== null && (
          <ReceiptLine label={t('Source of the prices')}>
            <span lang="en" translate="no" className="text-14">
              {source.split(/(?<=\/)/).map((part) => (
                <Fragment key={part}>
                  {part}
                  <wbr />
                </Fragment>
              ))}
            </span>
          </ReceiptLine>
        )}
        <ReceiptLine label={t('Engine')}>
          <code className="text-14">{figures.engineVersion}</code>
        </ReceiptLine>
        <ReceiptLine label={t('Data, SHA-256')}>
          <code className="text-14 wrap-anywhere">{figures.dataHash}</code>
        </ReceiptLine>
      </Receipt>
      <Coverage figures={figures} />
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'The same rules, orders and fees as in trading, hour by hour. At the end ' +
            'everything is sold, and our fee is taken once, of the profit if there is one. ' +
            'Neighboring start days share most of their year, so the outcomes are not ' +
            'independent of each other.',
        )}
      </p>
    </Section>
  )
}

/** The pairs that take part in some windows only, which the figures of all windows do not show. */
function Coverage({ figures: { coverage, windows } }: { figures: EvidenceFigures }) {
  const partly = coverage.filter((pair) => pair.windows < windows)
  if (partly.length === 0) return null
  return (
    <div className="pt-3 text-14 text-pretty text-ink2">
      <p>
        {t(
          'A bot trades the pairs that could be judged on its start day. Where the prices ' +
            'of a pair end on the way, it is sold at the last one; a coin that failed may ' +
            'have given less.',
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
                  count: digits(count),
                  all: digits(windows),
                })}
          </li>
        ))}
      </ul>
    </div>
  )
}

const digits = (count: number): string => groupDigits(String(count), { minimum: 0, maximum: 0 })
