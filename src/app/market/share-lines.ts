import { percentOf } from '#core/money/percent.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { signOf } from '#core/money/text.ts'
import type { TradeFigures } from '#contract/bots.ts'
import type { WeekResult } from '#contract/week.ts'
import { baseOf } from '#core/market/pair.ts'
import { moneyText } from '#words/figures.ts'
import { tradesText } from '#words/trades-text.ts'
import { withoutDollars } from '#words/without-dollars.ts'
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

/**
 * A shared result. `amount`: the first figure of the receipt, a result or the price paid.
 * `moments`: market times in words.
 */
export type Shared =
  | { kind: 'trade'; trade: TradeFigures; amount: string; moments: string }
  | { kind: 'week'; week: WeekResult; moments: string }

/** `market`: its name. `amounts`: whether dollars are shown; otherwise percentages only. */
export type SharedOn = { market: string; isPaper: boolean; amounts: boolean }

export function shareLines(shared: Shared, { market, isPaper, amounts }: SharedOn): ShareLines {
  const own = shared.kind === 'trade' ? tradeLines(shared, amounts) : weekLines(shared, amounts)
  return {
    ...own,
    moment: `${market} · ${shared.moments}`,
    stamp: isPaper ? t('Paper money') : null,
  }
}

type OwnLines = Omit<ShareLines, 'moment' | 'stamp'>
type SharedTrade = Extract<Shared, { kind: 'trade' }>

function tradeLines({ trade, amount }: SharedTrade, amounts: boolean): OwnLines {
  const coin = baseOf(trade.tradingPair)
  const texts = [amounts ? trade.reason : withoutDollars(trade.reason)].filter(Boolean)
  if (trade.profit === null) {
    const paid = amounts
      ? { figure: moneyText({ amount }), texts: [t('Paid by the bot'), ...texts] }
      : { figure: coin, texts }
    return { title: t('Bought {coin}', { coin }), direction: 0, ...paid }
  }
  const [profit, fee] = [decimalToUnits(trade.profit), decimalToUnits(trade.venueFee)]
  const cost = decimalToUnits(trade.amount) - fee - profit
  return {
    title: t('Sold {coin}', { coin }),
    ...resultFigure({ amount, percent: percentOf({ part: profit, whole: cost }) }, amounts),
    texts: [t('Realized result, before our fee'), ...texts],
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
  return amounts
    ? { figure: `${money} (${share})`, direction: signOf(amount) }
    : { figure: share, direction: signOf(percent) }
}
