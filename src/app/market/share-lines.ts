import { percentOf } from '#core/money/percent.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { signOf } from '#core/money/text.ts'
import type { TradeFigures } from '#contract/bots.ts'
import type { WeekResult } from '#contract/week.ts'
import { baseOf } from '#core/market/pair.ts'
import { moneyText } from '#words/figures.ts'
import { tradesText } from '#words/trades-text.ts'
import { msg, say, t } from '#words/words.ts'
import { percentText } from '#app/ui/money/money.tsx'

export const CHANCE = msg('A week says little: chance decides most of it.')

/** The texts of a picture, from top to bottom. `direction`: of the result, for arrow and color. */
export type ShareLines = {
  title: string
  moment: string
  figure: string
  direction: number
  texts: string[]
  /** Null in a book of real money. */
  stamp: string | null
}

/** A shared result. `moments`: market times in words. */
export type Shared =
  | { kind: 'trade'; trade: TradeFigures; moments: string }
  | { kind: 'week'; week: WeekResult; moments: string }

/** `market`: its name. `amounts`: whether dollars are shown; otherwise percentages only. */
export type SharedOn = { market: string; isPaper: boolean; amounts: boolean }

export function shareLines(shared: Shared, { market, isPaper, amounts }: SharedOn): ShareLines {
  const own =
    shared.kind === 'trade' ? tradeLines(shared.trade, amounts) : weekLines(shared, amounts)
  return {
    ...own,
    moment: `${market} · ${shared.moments}`,
    stamp: isPaper ? t('Paper money') : null,
  }
}

type OwnLines = Omit<ShareLines, 'moment' | 'stamp'>

function tradeLines(trade: TradeFigures, amounts: boolean): OwnLines {
  const coin = baseOf(trade.tradingPair)
  const texts = [amounts ? trade.reason : withoutDollars(trade.reason)].filter(Boolean)
  if (trade.profit === null) {
    const figure = amounts ? moneyText({ amount: trade.amount }) : coin
    return { title: t('Bought {coin}', { coin }), figure, direction: 0, texts }
  }
  const [profit, fee] = [decimalToUnits(trade.profit), decimalToUnits(trade.venueFee)]
  const cost = decimalToUnits(trade.amount) - fee - profit
  return {
    title: t('Sold {coin}', { coin }),
    ...resultFigure(
      { amount: trade.profit, percent: percentOf({ part: profit, whole: cost }) },
      amounts,
    ),
    texts,
  }
}

function weekLines({ week }: { week: WeekResult }, amounts: boolean): OwnLines {
  const { result, percent, trades, tradingFees } = week
  const made = trades.length === 0 ? t('No trades.') : `${tradesText(trades)}.`
  const fees = t('{fees} trading fees.', { fees: moneyText({ amount: tradingFees }) })
  return {
    title: t('Your week'),
    ...resultFigure({ amount: result, percent }, amounts),
    texts: [made, ...(amounts ? [fees] : []), say(CHANCE)],
  }
}

type Result = { amount: string; percent: string }

function resultFigure({ amount, percent }: Result, amounts: boolean) {
  const [money, share] = [moneyText({ amount, sign: 'always' }), percentText(percent)]
  return { figure: amounts ? `${money} (${share})` : share, direction: signOf(amount) }
}

/** A reason without its prices in parentheses; empty if prices remain. */
function withoutDollars(reason: string): string {
  const bare = reason.replaceAll(/ \([^)]*\$[^)]*\)/g, '')
  return bare.includes('$') ? '' : bare
}
