import { ForecastBundle } from '#contract/forecasts.ts'
import { MADE_WITHIN_MS, saidBy, trainOn } from '#core/forecast/market-day.ts'
import { firstOfMonth } from '#core/forecast/walk-forward.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { hashOfTeachers } from '#server/evidence/market-range-day.ts'
import { marketScores } from '#server/evidence/market-scores.ts'
import { shippedMarkets, shippedWalk } from '#server/evidence/range-model-files.ts'
import { readCandles } from '#server/market/candle-file.ts'
import { headOf, modelOf, NO_TEXT, type RangeDay } from '#server/market/range-days.ts'
import {
  firstDifference,
  parsedAs,
  parsedJson,
  type Difference,
  type Verdict,
} from './verify-bundle.ts'

export function isOfForecasts(text: string): boolean {
  return /^\s*\{\s*"format":\s*"forecasts/.test(text)
}

/**
 * Recomputes the chain, ranges and chances, the models from the candles that ship and those in
 * `folder`, and the scores.
 */
export function verifyForecasts(text: string, folder: string): Verdict {
  const bundle = parsedAs(ForecastBundle, parsedJson(text))
  try {
    return verdictOn(bundle, folder)
  } catch (error) {
    if (error instanceof StartupError) throw error
    const message = 'The file is not a proof of this product: lines: not readable.'
    throw new StartupError(message, { cause: error })
  }
}

function verdictOn({ lines, head, scores }: ForecastBundle, folder: string): Verdict {
  const days = lines.map((line) => parsedJson(line) as RangeDay)
  const parts: (() => { difference: Difference | undefined; sentence: string })[] = [
    () => ({
      difference: firstDifference('previous', {
        stated: [...days.map(({ previous }) => previous), head],
        computed: [NO_TEXT, ...lines.map(headOf)],
      }),
      sentence: `The hashes of ${lines.length} days agree.`,
    }),
    () => ({
      difference: firstOf(days, (day, index) => dayDifference(day, days.slice(0, index))),
      sentence:
        'Each forecast is of a midnight, follows from a model trained before it, and was made ' +
        'before its first hour closed.',
    }),
    () => checkModels(days, folder),
    () => ({
      difference: firstDifference('scores', { stated: scores, computed: marketScores(days) }),
      sentence: 'The scores agree.',
    }),
  ]
  const agrees: string[] = []
  for (const part of parts) {
    const { difference, sentence } = part()
    if (difference) return { agrees, difference }
    agrees.push(sentence)
  }
  agrees.push(sentenceOfMissing(days))
  return { agrees: [...agrees, 'Not checked: prices, and the times at which days were written.'] }
}

/** States the number, because a file may leave out bad outcomes as if candles were missing. */
function sentenceOfMissing(days: readonly RangeDay[]): string {
  const lastMs = days.at(-1)?.timeMs ?? 0
  const over = days.filter(({ timeMs }) => timeMs + DAY_MS <= lastMs)
  const count = over.flatMap(({ forecasts }) => forecasts).length
  return `Of ${count} forecasts whose day is over, ${openOf(over, days).size} have no outcome.`
}

/** Keys of forecasts in `made` without an outcome in `days`. */
function openOf(made: readonly RangeDay[], days: readonly RangeDay[]): Set<string> {
  const open = new Set(
    made.flatMap(({ timeMs, forecasts }) => forecasts.map(({ pair }) => keyOf({ pair, timeMs }))),
  )
  for (const outcome of days.flatMap(({ outcomes }) => outcomes)) open.delete(keyOf(outcome))
  return open
}

function firstOf(
  days: readonly RangeDay[],
  differenceOf: (day: RangeDay, index: number) => Difference | undefined,
): Difference | undefined {
  for (const [index, day] of days.entries()) {
    const difference = differenceOf(day, index)
    if (difference) return { ...difference, field: `lines.${index}.${difference.field}` }
  }
  return undefined
}

/**
 * Checks that days are midnights in order, that a model is that of its month, that a pair has one
 * forecast a day, and that each outcome belongs to an earlier forecast without one.
 */
function dayDifference(day: RangeDay, before: readonly RangeDay[]): Difference | undefined {
  const { timeMs, madeAtMs, forecasts, outcomes } = day
  const model = day.model ?? modelOf(before)
  const isInTime = madeAtMs >= timeMs && madeAtMs < timeMs + MADE_WITHIN_MS
  const isLater = timeMs > (before.at(-1)?.timeMs ?? 0)
  const [open, pairs] = [openOf(before, before), new Set(forecasts.map(({ pair }) => pair))]
  return firstDifference('day', {
    stated: {
      timeMs,
      isLater: true,
      trainedUntilMs: day.model?.trainedUntilMs,
      forecasts,
      outcomes,
    },
    computed: {
      timeMs: Math.floor(timeMs / DAY_MS) * DAY_MS,
      isLater,
      trainedUntilMs: day.model && firstOfMonth(timeMs),
      forecasts:
        model && isInTime
          ? forecasts
              .filter(({ pair }) => pairs.delete(pair))
              .map((one) => ({ ...one, ...saidBy(model, one.variance) }))
          : [],
      outcomes: outcomes.filter((one) => open.delete(keyOf(one))),
    },
  })
}

function keyOf({ pair, timeMs }: Pick<RangeDay['outcomes'][number], 'pair' | 'timeMs'>): string {
  return `${pair} ${timeMs}`
}

function checkModels(days: readonly RangeDay[], folder: string) {
  const recorded = shippedMarkets()
  const walk = shippedWalk()
  let others = 0
  const difference = firstOf(days, ({ model: stated }, index) => {
    if (!stated) return undefined
    const { learnedFrom, trainedUntilMs, candles } = stated
    const own = learnedFrom.flatMap((pair) => {
      const series = readCandles(folder, { pair, untilMs: trainedUntilMs })
      return series ? [{ pair, series }] : []
    })
    if (hashOfTeachers(stated, { recorded, own }) !== candles) {
      others += 1
      return undefined
    }
    const model = trainOn(
      { recorded: () => walk, own },
      { days: days.slice(0, index), trainedUntilMs },
    )
    return firstDifference('model', { stated, computed: { ...model, candles } })
  })
  const count = days.filter(({ model }) => model).length
  const rest = others > 0 ? ` ${others} learned from candles that are not here: not checked.` : ''
  return { difference, sentence: `Of ${count} models, ${count - others} agree.${rest}` }
}
