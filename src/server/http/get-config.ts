import type { PublicConfig } from '#contract/config.ts'
import { percentOfBps } from '#core/money/percent.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { t } from '#words/words.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { claimsOf, supportOf } from '#server/settings/settings.ts'

export const getConfig: Handler<'getConfig'> = async (context) => showConfig(context)

function showConfig({
  config,
  feed,
  market,
  payments,
  speed,
  assistant,
  costs,
  mail,
}: Context): PublicConfig {
  return {
    book: config.BOOK,
    payments: {
      provider: payments.provider,
      ...(payments.publishableKey && { publishableKey: payments.publishableKey }),
    },
    feed: {
      kind: feed.kind,
      label: sentenceText(feed.label),
      ...(feed.note && { note: sentenceText(feed.note) }),
      speed,
      start: market.start().toISOString(),
      pairs: [...feed.pairs],
    },
    licence: config.OPERATOR_LICENCE
      ? t('Operator licence: {licence}', { licence: config.OPERATOR_LICENCE })
      : t('Demo: no operator licence configured'),
    claims: claimsOf(config),
    support: supportOf(config),
    mail: mail.provider,
    assistant: assistant.badge,
    deposit: { minimum: `${config.DEPOSIT_MINIMUM}.00`, maximum: `${config.DEPOSIT_MAXIMUM}.00` },
    tradingFee: percentOfBps(costs.feeBps),
    feePercentage: percentOfBps(PERFORMANCE_FEE_BPS),
    holdFeePercentage: percentOfBps(config.HOLD_FEE_BPS),
    cashYield: cashYieldOf(config),
    tradingCostBps: totalCostBps(costs),
    withdrawalHoldHours: config.WITHDRAWAL_HOLD_HOURS,
  }
}

function cashYieldOf({
  CASH_YIELD_BPS: rateBps,
  CASH_YIELD_SOURCE: source,
}: Context['config']): PublicConfig['cashYield'] {
  return rateBps === 0 || source === undefined ? null : { percent: percentOfBps(rateBps), source }
}
