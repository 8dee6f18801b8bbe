import { useState } from 'react'
import type { BacktestResult } from '#contract/backtest.ts'
import { refusalOf } from '#contract/problem.ts'
import { routes } from '#contract/routes.ts'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { checkGuards } from '#core/guards/guard-settings.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { signOf } from '#core/money/text.ts'
import { LEVEL_OF_HOLD, strategyKey } from '#core/strategy/strategy-key.ts'
import { msg, say, t } from '#words/words.ts'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { ProofLink } from '#app/evidence/proof-link.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { Sparkline } from '#app/ui/charts/sparkline.tsx'
import { ChevronRight } from '#app/ui/frame/icons.ts'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { Change, Percent } from '#app/ui/money/money.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { BacktestSummary } from './backtest-summary.tsx'
import { sentChoice, type EnteredBot } from './bot-draft.ts'
import { useBacktest, type BacktestConfig } from './bot-queries.ts'
import { sentGuards, typedGuards } from './guard-draft.ts'

const PREVIEW_DAYS = 365

const TITLE = msg('Past 12 months (backtest)')

/**
 * Backtests the bot being entered over the last year, before any money is committed. All states
 * have the same height, so that nothing below moves.
 */
export function BacktestPreview({ bot }: { bot: EnteredBot }) {
  const config = configOf(bot)
  const backtest = useBacktest(config)
  const isPending = config !== undefined && backtest.isPending
  return (
    <section
      aria-label={t('Preview')}
      aria-busy={isPending}
      className="min-h-42 rounded-sheet border border-hairline bg-surface p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="text-16 font-semibold">{say(TITLE)}</h3>
        <HypotheticalMark />
      </div>
      {config === undefined && (
        <p className="mt-2 text-14 text-ink2">
          {t(
            "Pick coins and an amount to see this bot's backtest over the past year, " +
              'after all costs.',
          )}
        </p>
      )}
      {isPending && <Skeleton className="mt-2 h-22 w-full" />}
      {config && !isPending && <BacktestFigures backtest={backtest} config={config} />}
    </section>
  )
}

function BacktestFigures({
  backtest,
  config,
}: {
  backtest: ReturnType<typeof useBacktest>
  config: BacktestConfig
}) {
  if (backtest.isError)
    return (
      <LoadProblem
        message={t('The preview could not be computed.')}
        onRetry={() => void backtest.refetch()}
      />
    )
  return backtest.data && <Result result={backtest.data} config={config} />
}

function Result({ result, config }: { result: BacktestResult; config: BacktestConfig }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="flex min-h-24 flex-wrap items-center justify-between gap-x-4">
      <div className="min-w-0">
        <Change
          amount={result.netResult}
          percent={result.returnPercent}
          className="text-17 font-semibold"
        />
        <p className="text-14 text-ink2">
          <Trans
            message="Largest drop {percent}"
            percent={<Percent value={result.maxDrawdown} sign="never" />}
          />
        </p>
        <Button look="quiet" className="-mb-2 -ml-2" onClick={() => setOpen(true)}>
          {t('Details')} <ChevronRight size={18} aria-hidden="true" className="-ml-1" />
        </Button>
      </div>
      <Sparkline
        values={result.equityCurve.map(({ value }) => value)}
        rises={signOf(result.netResult) >= 0}
        className="h-16 max-w-36 min-w-0 flex-[1_1_4rem]"
      />
      <Sheet open={open} onClose={() => setOpen(false)} title={say(TITLE)}>
        <BacktestSummary result={result} />
        {config.guards === undefined && (
          <ProofLink path={routes.getBacktestBundle.path} query={proofOf(config, result.to)} />
        )}
      </Sheet>
    </div>
  )
}

function proofOf(
  {
    strategy = 'trend',
    riskLevel = LEVEL_OF_HOLD,
    tradingPairs,
    investmentAmount,
    days = PREVIEW_DAYS,
  }: BacktestConfig,
  until: string,
) {
  return {
    strategy: strategyKey({ strategy, riskLevel }),
    pairs: tradingPairs.join(','),
    amount: String(investmentAmount),
    days: String(days),
    until,
  } as const
}

function configOf({
  tradingPairs,
  investmentAmount,
  guards,
  ...choice
}: EnteredBot): BacktestConfig | undefined {
  const amount = readAmount(investmentAmount)
  if (refusalOf(() => checkGuards(typedGuards(guards)))) return undefined
  if (
    tradingPairs.length === 0 ||
    amount === undefined ||
    decimalToUnits(amount) < MINIMUM_INVESTMENT
  )
    return undefined
  return {
    ...sentChoice(choice),
    tradingPairs: [...tradingPairs],
    investmentAmount: amount,
    ...sentGuards(guards),
    days: PREVIEW_DAYS,
  }
}
