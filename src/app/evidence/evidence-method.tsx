import type { EvidenceFigures } from '#contract/evidence.ts'
import { groupDigits } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Money } from '#app/ui/money/money.tsx'
import { pairsText } from '#app/market/pair-text.ts'
import { Percent } from '#app/ui/money/percent.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { Section } from '#app/ui/frame/section.tsx'

/** Everything needed to reproduce the figures. */
export function EvidenceMethod({ figures }: { figures: EvidenceFigures }) {
  const { costs } = figures
  return (
    <Section title={t('How it was computed')}>
      <Receipt>
        <ReceiptLine label={t('Period')}>
          {utcDayText(figures.from)} – {utcDayText(figures.to)}
        </ReceiptLine>
        <ReceiptLine label={t('Start days')}>{groupDigits(String(figures.windows), { minimum: 0, maximum: 0 })}</ReceiptLine>
        <ReceiptLine label={t('Each runs for')}>{tCount(figures.windowDays, { one: '{count} day', other: '{count} days' })}</ReceiptLine>
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
        <ReceiptLine label={t('Engine')}>{figures.engineVersion}</ReceiptLine>
        <ReceiptLine label={t('Data, SHA-256')}>
          <code className="text-14 wrap-anywhere">{figures.dataHash}</code>
        </ReceiptLine>
      </Receipt>
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          'The same rules, orders and fees as in trading, hour by hour. At the end everything is sold, and our fee is taken once, of the profit if there is one. Neighboring start days share most of their year, so the outcomes are not independent of each other.',
        )}
      </p>
    </Section>
  )
}
