import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { PRESETS } from '#core/strategy/preset.ts'
import {
  FIRST_HASH,
  lineOf,
  readRegister,
  REGISTER_FILE,
  type RegisterRow,
  type Setting,
} from '#server/evidence/trial-register.ts'
import {
  balancedSetting,
  candlesOfAll,
  choiceAmong,
  familyOf,
  returnsOf,
  returnsOfMarkets,
  settingOf,
  sharpeOf,
  triedOn,
} from './trial-family.ts'

/**
 * Computes every setting of the presets' families, compares it with the register of trials and adds
 * the rows that are missing: `npm run bench -- trials`. Rows are only added. If the code no longer
 * generates a row, the command reports it and fails.
 */

/**
 * Drawdown budgets that count as trials: they were tried and rejected before there was a register,
 * in code that no longer exists (docs/strategies.md).
 */
const BUDGETS = [0.05, 0.1, 0.15, 0.25, 0.4]

const candles = candlesOfAll()
const on = triedOn(candles)
const today = new Date().toISOString().slice(0, 10)

export function run(): void {
  const known = existsSync(REGISTER_FILE)
    ? readRegister(readFileSync(REGISTER_FILE, 'utf8'))
    : { rows: [], hashes: [] }
  const wanted = [
    ...RISK_LEVELS.flatMap((riskLevel) => rowsOf(riskLevel)),
    ...RISK_LEVELS.map(balancedRow),
  ]
  let added = 0
  let before = known.hashes.at(-1) ?? FIRST_HASH
  for (const row of wanted) {
    const same = known.rows.find((each) => isDeepStrictEqual(subjectOf(each), subjectOf(row)))
    if (same === undefined) {
      const { line, hash } = lineOf(row, before)
      appendFileSync(REGISTER_FILE, `${line}\n`)
      before = hash
      added += 1
    } else if (
      !isDeepStrictEqual({ ...same, date: '', purpose: '' }, { ...row, date: '', purpose: '' })
    ) {
      console.error(
        `No longer follows from the code: ${JSON.stringify(same)}\nNow: ${JSON.stringify(row)}`,
      )
      process.exitCode = 1
    }
  }
  console.log(
    `${wanted.length} settings and choices computed, ${added} rows added; the register has ` +
      `${known.rows.length + added}, the last hash is ${before}.`,
  )
}

/** The fields that identify a row, without its figures. */
function subjectOf(row: RegisterRow): unknown {
  if (row.kind === 'learned-trial' || row.kind === 'learned-choice') return row
  return row.kind === 'choice'
    ? [row.strategy, row.on, row.settings]
    : [row.strategy, row.on, row.setting]
}

function rowsOf(strategy: RiskLevel): RegisterRow[] {
  const common = { date: today, strategy, on }
  const own = settingOf(PRESETS[strategy])
  const returns = familyOf(strategy).map((setting) => ({
    setting,
    days: returnsOf(setting, candles),
  }))
  const sharpes = returns.map(({ days }) => sharpeOf(days)).toSorted((a, b) => a - b)
  const trials = returns.map(({ setting, days }) => ({
    kind: 'trial' as const,
    ...common,
    purpose: purposeOf(setting, own),
    setting,
    sharpe: sharpeOf(days),
  }))
  const budgets = BUDGETS.map((drawdownBudget) => ({
    kind: 'trial' as const,
    ...common,
    purpose: 'drawdown budget, rejected',
    setting: { ...own, drawdownBudget },
    sharpe: null,
  }))
  const choice = choiceAmong(returns.map(({ days }) => days))
  const mine = trials.find(({ setting }) => isDeepStrictEqual(setting, own))?.sharpe ?? Number.NaN
  const place = sharpes.filter((each) => each <= mine).length
  console.log(
    `${strategy}: Sharpe ${sharpes[0]} to ${sharpes.at(-1)}, median ` +
      `${sharpes[sharpes.length >> 1]}; the preset ${mine} is number ${place} of ` +
      `${sharpes.length} from below; overfitted with probability ${choice.overfitting}, best of ` +
      `one half ${choice.chosen}, in the other ${choice.afterwards}`,
  )
  return [
    ...trials,
    ...budgets,
    { kind: 'choice', ...common, purpose: 'choice of the preset', ...choice },
  ]
}

/** Part and band were chosen by reasoning; no others were tried. */
function balancedRow(riskLevel: RiskLevel): RegisterRow {
  const strategy = `balanced-${riskLevel}` as const
  const sharpe = sharpeOf(returnsOfMarkets(candles, strategy))
  return {
    kind: 'balanced-trial',
    date: today,
    purpose: 'chosen by argument',
    strategy,
    on,
    setting: balancedSetting(riskLevel),
    sharpe,
  }
}

function purposeOf(setting: Setting, own: Setting): string {
  return isDeepStrictEqual(setting, own) ? 'preset' : 'family of the preset'
}

if (import.meta.main) run()
