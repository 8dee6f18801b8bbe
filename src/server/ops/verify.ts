import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, StartupError } from '#server/kernel/errors.ts'
import { whenUnread } from '#server/kernel/readable-log.ts'
import { rangeModelTexts } from '#server/evidence/range-model-files.ts'
import { RANGE_SCORES } from '#server/market/next-day.ts'
import { RANGE_MODELS } from '#server/market/forecast-at.ts'
import { parseBundle, verifyBundle } from './verify-bundle.ts'
import { isOfForecasts, verifyForecasts } from './verify-forecasts.ts'
import { differentLine } from './verify-models.ts'

/**
 * `npm run verify FILE [FOLDER]`: recomputes a downloaded proof of past results, or of forecasts on
 * a live market, from the shipped candles or those in FOLDER, without database or network. Without
 * FILE: trains every month's range model again and scores its forecasts. Exits with 0 if everything
 * agrees, else 1.
 */

const SHIPPED = join(import.meta.dirname, '../../../data/candles')

/** Limit of a file. Larger files are not ours and would only fill the memory. */
const MOST_BYTES = 64_000_000

function run([file, folder = SHIPPED, ...others]: readonly string[]): boolean {
  if (file === undefined) return runModels()
  if (others.length > 0)
    throw new StartupError(
      'Name the file to verify, and, if its candles do not come with the product, the folder ' +
        'that holds them: npm run verify FILE FOLDER',
    )
  const startedAt = performance.now()
  const text = textOf(file)
  const { agrees, difference, hint } = isOfForecasts(text)
    ? verifyForecasts(text, folder)
    : verifyBundle(parseBundle(text), folder)
  for (const sentence of agrees) console.log(sentence)
  if (difference) {
    console.error(
      `${difference.field} differs: the file says ${difference.stated}, computed is ` +
        `${difference.computed}.`,
    )
    if (hint !== undefined) console.error(hint)
    return false
  }
  sayAllAgrees(startedAt)
  return true
}

function runModels(): boolean {
  const startedAt = performance.now()
  const stated = { models: textOf(RANGE_MODELS), scores: textOf(RANGE_SCORES) }
  const difference = differentLine(stated, rangeModelTexts())
  if (difference !== undefined) {
    console.error(`${difference} differs from the one computed from the candles that ship.`)
    return false
  }
  console.log(`The range models of ${stated.models.trim().split('\n').length} months agree.`)
  console.log('The scores of their forecasts agree.')
  sayAllAgrees(startedAt)
  return true
}

function sayAllAgrees(startedAt: number): void {
  console.log(
    'All of it agrees, computed again in ' +
      `${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`,
  )
}

function textOf(file: string): string {
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw new StartupError(`${file} is not a file.`)
    if (stat.size > MOST_BYTES)
      throw new StartupError(`${file} is too large to be a proof of this product.`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`${file} cannot be read (${codeOf(error)}).`, { cause: error })
  }
}

whenUnread(() => process.exit())

try {
  if (!run(process.argv.slice(2))) process.exitCode = 1
} catch (error) {
  console.error(
    error instanceof StartupError
      ? error.message
      : `The file could not be verified: ${String(error).slice(0, 200)}`,
  )
  process.exitCode = 1
}
