import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { useBacktest, type BacktestConfig } from '#app/api/queries.ts'
import { readAmount } from '#app/ui/money/amount-text.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { useDebounced } from '#app/ui/forms/use-debounced.ts'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { BacktestSummary } from './backtest-summary.tsx'

type Draft = { riskLevel: RiskLevel; tradingPairs: readonly Pair[]; investmentAmount: string }

const DEBOUNCE_MS = 600
const PREVIEW_DAYS = 365

/** Backtests the configuration being typed over the last year, before any money is committed. */
export function BacktestPreview(draft: Draft) {
  const debounced = useDebounced(configText(draft), DEBOUNCE_MS)
  const config: BacktestConfig | undefined = debounced === '' ? undefined : JSON.parse(debounced)
  const backtest = useBacktest(config)
  return (
    <section aria-label="Preview" aria-busy={backtest.isFetching} className="rounded-sheet border border-hairline bg-surface p-5">
      <h3 className="mb-2 text-17 font-semibold">What it would have done</h3>
      {config === undefined && (
        <p className="text-14 text-ink2">Choose pairs and an amount: the last year is replayed with your rules, all costs included.</p>
      )}
      {config && backtest.isError && <LoadProblem message="The preview could not be computed." onRetry={() => void backtest.refetch()} />}
      {config && backtest.isPending && <Skeleton className="h-130 w-full" />}
      {config && backtest.data && !backtest.isError && (
        <div className={backtest.isPlaceholderData ? 'opacity-60' : ''}>
          <BacktestSummary result={backtest.data} />
        </div>
      )}
    </section>
  )
}

/** The configuration as text; empty while something is missing. */
function configText({ riskLevel, tradingPairs, investmentAmount }: Draft): string {
  const amount = readAmount(investmentAmount)
  if (tradingPairs.length === 0 || amount === undefined || decimalToUnits(amount) < MINIMUM_INVESTMENT) return ''
  const config: BacktestConfig = { riskLevel, tradingPairs: [...tradingPairs], investmentAmount: amount, days: PREVIEW_DAYS }
  return JSON.stringify(config)
}
