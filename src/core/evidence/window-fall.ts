import {
  fallTo,
  worthAfterFee,
  type Fall,
  type MoneySignals,
} from '#core/strategy/equity-record.ts'
import {
  afterFee,
  finishWindow,
  openPath,
  pathUntil,
  type FollowedWindow,
  type WindowMoney,
} from './window-path.ts'

/** Maximum drawdown after the platform fee and without interest, at every close and at the sale. */
export function fallWithin(input: FollowedWindow): number {
  const path = pathUntil(openPath(input, input.window.fromMs), input.window.toMs)
  const money = signalsOf(input)
  const fall: Fall = { best: money.invested, deepest: 0 }
  for (let hour = 1; hour < path.worth.length; hour += 1)
    fallTo(fall, worthAfterFee(path.worth[hour] ?? 0, money))
  return fallTo(fall, Number(afterFee(finishWindow(path, input), input)))
}

export function signalsOf({ invested, feeBps }: WindowMoney): MoneySignals {
  return { invested: Number(invested), feeShare: feeBps / 10_000 }
}
