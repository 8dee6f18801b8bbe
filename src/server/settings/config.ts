import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  LIVE_SLIPPAGE_BPS,
  VENUE_COSTS,
  type TradingCosts,
  type VenueName,
} from '#core/trading/costs.ts'
import { LIVE_WITHDRAWAL_HOLD_HOURS } from '#core/withdrawals/hold-reason.ts'
import { codeOf, StartupError } from '#server/kernel/errors.ts'
import { makeFolder } from '#server/kernel/make-folder.ts'
import { readFilter } from './password-filter.ts'
import { refuseMixtures } from './refuse-mixtures.ts'
import { SECRET_SETTINGS, Settings } from './settings.ts'

export type Config = Omit<Settings, 'SESSION_SECRET' | 'WITHDRAWAL_HOLD_HOURS'> & {
  SESSION_SECRET: string
  WITHDRAWAL_HOLD_HOURS: number
}

/** Costs of trading at `venue`, unless the settings say otherwise. */
export function costsOf(
  { BOOK, TRADING_FEE_BPS, TRADING_HALF_SPREAD_BPS, TRADING_SLIPPAGE_BPS }: Settings | Config,
  venue: VenueName,
): TradingCosts {
  const { feeBps, halfSpreadBps, slippageBps } = VENUE_COSTS[venue]
  return {
    feeBps: TRADING_FEE_BPS ?? feeBps,
    halfSpreadBps: TRADING_HALF_SPREAD_BPS ?? halfSpreadBps,
    slippageBps: TRADING_SLIPPAGE_BPS ?? (BOOK === 'live' ? LIVE_SLIPPAGE_BPS : slippageBps),
  }
}

export type Environment = Record<string, string | undefined>

/** Whether the environment has a value for this setting that is not blank. */
export const isSet = (name: keyof Settings, environment: Environment = process.env): boolean =>
  (environment[name] ?? '').trim() !== ''

/**
 * Deletes the variables of psql, which the driver would use as defaults: PGSSLMODE=require in a
 * shell would demand TLS of our own PostgreSQL, which has none.
 */
export function forgetVariablesOfPsql(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name]
}

export function readConfig(environment?: Environment): Config {
  const read = readSettings(environment)
  if ('wrong' in read) throw new StartupError(read.wrong[0] ?? 'The settings are not valid.')
  const { settings } = read
  refuseMixtures(settings)
  const lacking = lackOfModel(settings)
  if (lacking !== undefined) throw new StartupError(lacking)
  refuseBrokenFilter(settings)
  return completeConfig(settings, settings.SESSION_SECRET ?? keptSecret(settings.DATA_DIR))
}

function refuseBrokenFilter({ PASSWORD_FILTER }: Settings): void {
  if (PASSWORD_FILTER === undefined) return
  try {
    readFilter(PASSWORD_FILTER)
  } catch {
    throw new StartupError(
      `PASSWORD_FILTER ${PASSWORD_FILTER} is no filter of passwords: write one with npx ` +
        'node scripts/write-password-lists.ts.',
    )
  }
}

export function readSettings(
  environment: Environment = process.env,
): { settings: Settings } | { wrong: string[] } {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const inFiles = readSecretFiles(given)
  if (inFiles.wrong.length > 0) return { wrong: inFiles.wrong }
  const result = Settings.safeParse({ ...given, ...inFiles.secrets })
  if (!result.success)
    return {
      wrong: result.error.issues.map(
        ({ path, message }) => `The setting ${String(path[0] ?? '')} is not valid: ${message}.`,
      ),
    }
  return { settings: { ...result.data, DATA_DIR: resolve(result.data.DATA_DIR) } }
}

/**
 * Reads secrets from files, as vaults, containers and systemd provide them:
 * `STRIPE_SECRET_KEY_FILE` names the file. Threat: whoever may list processes or containers can
 * often read their environment.
 */
function readSecretFiles(given: Environment): { secrets: Environment; wrong: string[] } {
  const secrets: Environment = {}
  const wrong: string[] = []
  for (const name of SECRET_SETTINGS) {
    const file = given[`${name}_FILE`]
    if (file === undefined) continue
    if (given[name] !== undefined)
      wrong.push(`${name} and ${name}_FILE are both set: leave one out.`)
    try {
      secrets[name] = readFileSync(file, 'utf8').trim()
    } catch (error) {
      wrong.push(
        `The file ${file} in ${name}_FILE cannot be read (${codeOf(error) || 'unknown error'}).`,
      )
    }
  }
  return { secrets, wrong }
}

export function completeConfig(settings: Settings, secret: string): Config {
  return { ...settings, SESSION_SECRET: secret, WITHDRAWAL_HOLD_HOURS: changeHoldHours(settings) }
}

/** Hours for which withdrawals wait after a change of an account. On paper 0, unless set. */
export function changeHoldHours({
  BOOK,
  WITHDRAWAL_HOLD_HOURS,
}: Pick<Settings, 'BOOK' | 'WITHDRAWAL_HOLD_HOURS'>): number {
  return WITHDRAWAL_HOLD_HOURS ?? (BOOK === 'live' ? LIVE_WITHDRAWAL_HOLD_HOURS : 0)
}

/**
 * The reason why the configured model cannot be used; undefined if it can. Without this check,
 * nobody would notice that only the search answers.
 */
export function lackOfModel({
  AI_PROVIDER,
  AI_MODEL,
  AI_BASE_URL,
  AI_API_KEY,
}: Settings): string | undefined {
  if (AI_PROVIDER === 'none') return undefined
  if (AI_MODEL === undefined)
    return `AI_PROVIDER=${AI_PROVIDER} needs the name of a model in AI_MODEL.`
  if (AI_PROVIDER === 'openai-compatible' && AI_BASE_URL === undefined)
    return 'AI_PROVIDER=openai-compatible needs the address of its endpoint in AI_BASE_URL.'
  return AI_PROVIDER === 'anthropic' && AI_API_KEY === undefined
    ? 'AI_PROVIDER=anthropic needs a key in AI_API_KEY.'
    : undefined
}

/** The file with the generated secret of an installation without SESSION_SECRET. */
export const secretFileOf = (dataDir: string): string => join(dataDir, 'session-secret')

/**
 * The generated secret of this installation, created at its first start and stored with its data.
 */
function keptSecret(dataDir: string): string {
  const file = secretFileOf(dataDir)
  try {
    makeFolder(dataDir)
    if (!existsSync(file)) keepNewSecret(file)
    const secret = readFileSync(file, 'utf8').trim()
    if (secret.length >= 32) return secret
  } catch (error) {
    throw new StartupError(
      `DATA_DIR ${dataDir} cannot be written (${codeOf(error) || 'unknown error'}).`,
    )
  }
  throw new StartupError(`The secret in ${file} is damaged: put the file back from a backup.`)
}

/**
 * Stores a new secret atomically: of two first starts one wins. Encrypted bank accounts can be read
 * only with this secret.
 */
function keepNewSecret(file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch {
    // Also used if the file system does not support links, unless another start was first.
    if (!existsSync(file)) renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}
