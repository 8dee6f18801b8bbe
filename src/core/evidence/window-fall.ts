import type { Units } from '#core/money/amount.ts'
import type { DecidedMarket } from '#core/strategy/sleeve.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { closingFee } from '#core/trading/fee.ts'
import { finishWindow, openPath, pathUntil, type PathCloses } from './window-path.ts'
import type { Window } from './window-end.ts'

export type WindowMoney = { invested: Units; costs: TradingCosts; feeBps: number }

export type FollowedWindow = WindowMoney & {
  markets: readonly DecidedMarket[]
  closes: readonly PathCloses[]
  window: Window
}

/** The highest worth of a bot so far, and its largest fall, a fraction of the highest before it. */
export type Fall = { best: number; deepest: number }

/**
 * The largest fall within a window, after the platform fee: at every close, and at the sale that
 * ends the window. No interest on cash.
 */
export function fallWithin(input: FollowedWindow): number {
  const path = pathUntil(openPath(input, input.window.fromMs), input.window.toMs)
  const money = signalsOf(input)
  const fall: Fall = { best: money.invested, deepest: 0 }
  for (let hour = 1; hour < path.worth.length; hour += 1)
    fallTo(fall, worthAfterFee(path.worth[hour] ?? 0, money))
  return fallTo(fall, Number(afterFee(finishWindow(path, input), input)))
}

/** Goes on to a worth. Returns the largest fall so far. */
export function fallTo(fall: Fall, now: number): number {
  if (now > fall.best) fall.best = now
  else if (fall.best - now > fall.deepest * fall.best) fall.deepest = 1 - now / fall.best
  return fall.deepest
}

export function afterFee(out: Units, { invested, feeBps }: WindowMoney): Units {
  return out - closingFee({ invested, out, feeBps }).fee
}

type MoneySignals = { invested: number; feeShare: number }

/** The same as numbers, for guards and falls. */
export function signalsOf({ invested, feeBps }: WindowMoney): MoneySignals {
  return { invested: Number(invested), feeShare: feeBps / 10_000 }
}

export function worthAfterFee(worth: number, { invested, feeShare }: MoneySignals): number {
  return worth > invested ? worth - (worth - invested) * feeShare : worth
}
