import type { Luck } from '#contract/evidence.ts'
import { figureText, percentText } from '#app/ui/money/money-format.ts'
import { Percent } from '#app/ui/money/percent.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { groupDigits } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { LuckTerms } from './luck-terms.tsx'

/**
 * Whether a level's past can be distinguished from luck, and the figures that decide it, in plain
 * words.
 */
export function LuckFigures({ luck, starts }: { luck: Luck; starts: number }) {
  const { trials, overfitting, minimumYears, band } = luck
  return (
    <section aria-labelledby="luck" className="px-5 pt-8">
      <h2 id="luck" className="text-20 font-semibold">
        {luck.isDistinguishable ? t('Probably more than luck') : t('Not distinguishable from luck')}
      </h2>
      <p className="pt-1 pb-3 text-16 text-pretty text-ink2">
        {luck.isDistinguishable
          ? t('These results pass three tests of luck. The future can still be different.')
          : t(
              'Chance and the rise of the coins could explain results as good as these. They do not show that the rules work.',
            )}
      </p>
      <Receipt>
        <ReceiptLine
          label={t('Chance that it is more than the luck of {count} tries', {
            count: whole(trials),
          })}
        >
          <Percent value={luck.deflated} sign="never" />
        </ReceiptLine>
        <ReceiptLine label={t('Chance that it is also better than holding the coins')}>
          <Percent value={luck.aboveHolding} sign="never" />
        </ReceiptLine>
        {overfitting !== null && (
          <ReceiptLine label={t('Chance that the settings only suit the past')}>
            <Percent value={overfitting} sign="never" />
          </ReceiptLine>
        )}
        <ReceiptLine label={t('Return for its risk, above cash')}>
          {figureText(luck.sharpe)}
        </ReceiptLine>
        <ReceiptLine label={t('The same for holding the coins')}>
          {figureText(luck.heldSharpe)}
        </ReceiptLine>
        <ReceiptLine label={t('12-month periods that share no day')}>
          {t('{count}, not {starts}', { count: figureText(luck.years), starts: whole(starts) })}
        </ReceiptLine>
        {minimumYears !== null && (
          <ReceiptLine
            label={t('History needed against the luck of {count} tries', { count: whole(trials) })}
          >
            {t('{years} years', { years: figureText(minimumYears) })}
          </ReceiptLine>
        )}
        <ReceiptLine label={t('90% of years, had the same days come in another order')}>
          {t('{low} to {high}', { low: percentText(band.low), high: percentText(band.high) })}
        </ReceiptLine>
      </Receipt>
      <LuckTerms luck={luck} />
    </section>
  )
}

function whole(count: number): string {
  return groupDigits(String(count), { minimum: 0, maximum: 0 })
}
