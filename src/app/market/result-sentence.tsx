import { resultMessage, tradesText, type TradingResult } from '#words/trades-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/**
 * 'Sold ETH twice and bought SOL. −$4.36, $0.42 of it trading fees.' `traded`: other words for the
 * trades.
 */
export function ResultSentence({
  traded,
  ...figures
}: TradingResult & { traded?: string | undefined }) {
  return (
    <Trans
      message={resultMessage(figures)}
      trades={traded ?? tradesText(figures.trades)}
      result={<Money amount={figures.result} sign="always" className="font-semibold" />}
      fees={<Money amount={figures.fees} className="font-semibold" />}
    />
  )
}
