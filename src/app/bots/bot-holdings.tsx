import type { Holding } from '#contract/bots.ts'
import { baseOf } from '#core/market/pair.ts'
import { t } from '#words/words.ts'
import { Money } from '#app/ui/money/money.tsx'
import { pairText } from '#app/market/pair-text.ts'
import { Percent } from '#app/ui/money/percent.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/** The bot's position on each pair, and the exposure that its strategy wants now. */
export function BotHoldings({ holdings }: { holdings: readonly Holding[] }) {
  if (holdings.length === 0) return null
  return (
    <Section title={t('Holdings')}>
      <ul className="divide-y divide-hairline">
        {holdings.map((holding) => (
          <li key={holding.pair} className="py-3">
            <div className="flex items-baseline justify-between gap-3">
              <span className="text-16 font-semibold">{pairText(holding.pair)}</span>
              <Money amount={holding.value} className="text-16 font-semibold" />
            </div>
            <p className="text-14 text-ink">{holding.reason}</p>
            <p className="text-14 text-ink2">
              <Trans
                message="{quantity} and {cash} cash; target: {percent} invested"
                quantity={<Money amount={holding.quantity} asset={baseOf(holding.pair)} />}
                cash={<Money amount={holding.cash} />}
                percent={<Percent value={holding.wantedPercent} />}
              />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
