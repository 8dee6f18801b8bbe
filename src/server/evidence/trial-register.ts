import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { TriedForTrading, type Forecasts } from '#contract/forecasts.ts'
import { assert } from '#core/assert.ts'
import type { TrialRecord } from '#core/luck/luck.ts'
import { spreadOf } from '#core/luck/sharpe.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'

export const REGISTER_FILE = join(import.meta.dirname, '../../../docs/trials.jsonl')

/** The hash before the first row. */
export const FIRST_HASH = '0'.repeat(64)

/**
 * A preset's parameters in the units in which people choose them. `drawdownBudget`: a rule that was
 * dropped.
 */
const Setting = z.strictObject({
  lookbackDays: z.array(z.number()),
  halfLifeDays: z.number(),
  targetVolatility: z.number(),
  bandPoints: z.number(),
  stop: z.enum(['middle', 'low']),
  drawdownBudget: z.number().optional(),
})
export type Setting = z.infer<typeof Setting>

/** `candles`: SHA-256 as on the evidence page. */
const TriedOn = z.strictObject({
  pairs: z.array(z.string()),
  from: z.iso.date(),
  to: z.iso.date(),
  candles: z.string(),
  costsBps: z.strictObject({ fee: z.number(), halfSpread: z.number(), slippage: z.number() }),
})
export type TriedOn = z.infer<typeof TriedOn>

const common = {
  date: z.iso.date(),
  purpose: z.string(),
  strategy: z.enum(RISK_LEVELS),
  on: TriedOn,
}

const Trial = z.strictObject({
  kind: z.literal('trial'),
  ...common,
  setting: Setting,
  /**
   * Annual Sharpe ratio before the platform fee, without a yield on cash. Null for a setting tried
   * before the register existed.
   */
  sharpe: z.number().nullable(),
})
export type Trial = z.infer<typeof Trial>

/**
 * The choice among settings, and the probability that it is overfitted, as `bench/overfitting.ts`
 * computes it.
 */
const Choice = z.strictObject({
  kind: z.literal('choice'),
  ...common,
  settings: z.number(),
  overfitting: z.number(),
  chosen: z.number(),
  afterwards: z.number(),
})
type Choice = z.infer<typeof Choice>

/**
 * A setting of a balanced bot, which has other parameters than a trend bot. No best one was chosen.
 */
const BalancedTrial = z.strictObject({
  kind: z.literal('balanced-trial'),
  ...common,
  strategy: z.enum(RISK_LEVELS.map((level) => `balanced-${level}` as const)),
  setting: z.strictObject({ coinsPercent: z.number(), driftPoints: z.number() }),
  sharpe: z.number(),
})

/** An independent audit computed these figures, so their candles have no hash here. */
const learned = {
  date: z.iso.date(),
  purpose: z.string(),
  on: TriedOn.pick({ pairs: true, from: true, to: true }).extend({
    others: z.int(),
    costsBpsASide: z.number(),
  }),
}

/** A learned way to trade that did not help. It has no code and was never chosen. */
const LearnedTrial = z.strictObject({
  kind: z.literal('learned-trial'),
  ...learned,
  ...TriedForTrading.shape,
})

/**
 * The best of all learned ways: the probability that it is more than luck, and that it is
 * overfitted.
 */
const LearnedChoice = z.strictObject({
  kind: z.literal('learned-choice'),
  ...learned,
  settings: z.int(),
  deflatedPercent: z.strictObject({ five: z.number(), seven: z.number() }),
  overfittingPercent: z.strictObject({ five: z.number(), seven: z.number() }),
})

export const RegisterRow = z.discriminatedUnion('kind', [
  Trial,
  Choice,
  BalancedTrial,
  LearnedTrial,
  LearnedChoice,
])
export type RegisterRow = z.infer<typeof RegisterRow>

/**
 * The line after `before`, the previous line's hash. A changed, moved or missing row breaks every
 * later hash.
 */
export function lineOf(row: RegisterRow, before: string): { line: string; hash: string } {
  const text = JSON.stringify(RegisterRow.parse(row))
  const hash = createHash('sha256').update(`${before}\n${text}`).digest('hex')
  return { line: `${text.slice(0, -1)},"hash":"${hash}"}`, hash }
}

/** Throws `AssertionFailed` if a row was altered, moved or removed. */
export function readRegister(text = readFileSync(REGISTER_FILE, 'utf8')): {
  rows: RegisterRow[]
  hashes: string[]
} {
  const rows: RegisterRow[] = []
  const hashes: string[] = []
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { hash: _hash, ...row } = JSON.parse(line) as { hash: string }
    const parsed = RegisterRow.parse(row)
    const expected = lineOf(parsed, hashes.at(-1) ?? FIRST_HASH)
    assert(
      expected.line === line,
      `row ${rows.length + 1} of the register of trials was altered, or one before it was`,
    )
    rows.push(parsed)
    hashes.push(expected.hash)
  }
  return { rows, hashes }
}

/**
 * The settings tried for a risk level: their number, and the spread of the Sharpe ratios that are
 * known.
 */
export function trialsOf(rows: readonly RegisterRow[], riskLevel: RiskLevel): TrialRecord {
  const trials = rows.flatMap((row) =>
    row.kind === 'trial' && row.strategy === riskLevel ? [row] : [],
  )
  const choice = rows.findLast(
    (row): row is Choice => row.kind === 'choice' && row.strategy === riskLevel,
  )
  const known = trials.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe]))
  return { ...spreadOf(known), trials: trials.length, overfitting: choice?.overfitting }
}

/** The learned ways to trade that were tried, and how many there were with all their variants. */
export function learnedTrials(rows: readonly RegisterRow[]): Pick<Forecasts, 'tried' | 'variants'> {
  const choice = rows.find((row) => row.kind === 'learned-choice')
  const tried = rows.flatMap((row) => {
    if (row.kind !== 'learned-trial') return []
    const { id, measure, five, seven } = row
    return [{ id, measure, five, seven }]
  })
  return { variants: choice?.settings ?? tried.length, tried }
}
