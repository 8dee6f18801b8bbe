import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isRoutingNumber } from '#core/withdrawals/bank-account.ts'
import { makeFolder } from './make-folder.ts'
import { refuseMixtures } from './refuse-mixtures.ts'
import { StartupError } from './startup-error.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const bps = z.coerce.number().int().min(0).max(1_000)
const webAddress = z.url({ protocol: /^https?$/ })
const ROLES = ['web', 'engine', 'jobs'] as const

/** Every setting, each with a default that works; `.env.example` explains them. */
const Settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(5000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.string().min(1).optional(),
  BOOK: z.enum(['paper', 'live']).default('paper'),
  MARKET_FEED: z.enum(['auto', 'simulated', 'replay', 'live']).default('auto'),
  MARKET_DATA_DIR: z.string().min(1).default('../shared/market'),
  MARKET_SPEED: z.coerce.number().min(0).max(100_000).optional(),
  MARKET_SEED: z.coerce.number().int().min(0).max(4_294_967_295).default(24),
  MARKET_START: z.iso.datetime().optional(),
  ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES)).min(1)),
  PUBLIC_URL: webAddress.optional(),
  TRUST_PROXY: flag.default(false),
  SESSION_SECRET: z.string().min(32).optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_API_URL: webAddress.optional(),
  STRIPE_FINANCIAL_ACCOUNT: z.string().min(1).optional(),
  PAYOUTS: z.enum(['auto', 'sandbox', 'bank-file', 'stripe']).default('auto'),
  VENUE: z.enum(['auto', 'paper', 'exchange']).default('auto'),
  EXCHANGE: z.enum(['kraken', 'binance', 'coinbase']).default('kraken'),
  EXCHANGE_API_KEY: z.string().min(1).optional(),
  EXCHANGE_API_SECRET: z.string().min(1).optional(),
  EXCHANGE_REST_URL: webAddress.optional(),
  EXCHANGE_WS_URL: z.url({ protocol: /^wss?$/ }).optional(),
  RPC_URL_1: webAddress.optional(),
  RPC_URL_56: webAddress.optional(),
  RPC_URL_137: webAddress.optional(),
  RPC_URL_42161: webAddress.optional(),
  AI_PROVIDER: z.enum(['none', 'openai-compatible', 'anthropic']).default('none'),
  AI_MODEL: z.string().min(1).max(200).optional(),
  AI_BASE_URL: webAddress.optional(),
  AI_API_KEY: z.string().min(1).optional(),
  AI_SILENCE_MS: z.coerce.number().int().min(100).max(20_000).default(6_000),
  OPERATOR_LICENCE: z.string().max(200).optional(),
  OPERATOR_POOLING: z.literal('acknowledged').optional(),
  OPERATOR: z.string().max(60).optional(),
  TRADING_FEE_BPS: bps.optional(),
  TRADING_HALF_SPREAD_BPS: bps.default(2),
  TRADING_SLIPPAGE_BPS: bps.optional(),
  VENUE_TOLERANCE: z.coerce.number().int().min(0).default(10),
  DEPOSIT_MINIMUM: z.coerce.number().int().min(1).default(10),
  DEPOSIT_MAXIMUM: z.coerce.number().int().min(1).default(10_000),
  DEPOSIT_HOLD_HOURS: z.coerce.number().int().min(0).max(8_760).optional(),
  PASSWORD_MINIMUM: z.coerce.number().int().min(6).max(100).default(6),
  PAYOUT_SECOND_PERSON_ABOVE: z.coerce.number().int().min(0).default(1_000),
  PAYOUT_BANK_ROUTING: z.string().refine(isRoutingNumber, 'it is not a US routing number').optional(),
  PAYOUT_COMPANY_ID: z.string().regex(/^[A-Z0-9]{1,10}$/i, 'it has up to 10 letters and digits').optional(),
  PAYOUT_COMPANY_NAME: z.string().min(1).max(23).optional(),
  PAYOUT_DELAY_MS: z.coerce.number().int().min(0).default(4_000),
  LOGIN_ATTEMPTS: z.coerce.number().int().min(1).default(10),
  SIGNUPS_PER_HOUR: z.coerce.number().int().min(1).default(60),
  INTENTS_PER_HOUR: z.coerce.number().int().min(1).default(60),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Settings = z.infer<typeof Settings>
export type Config = Omit<Settings, 'SESSION_SECRET' | keyof Costs> & { SESSION_SECRET: string } & Costs

type Costs = { TRADING_FEE_BPS: number; TRADING_SLIPPAGE_BPS: number }

/** What an order that takes is charged where an account has traded little, in basis points. Sources: the fee pages of the exchanges, 2026. */
const TAKER_FEES = { kraken: 40, binance: 10, coinbase: 120 }

/** On paper as an exchange of the cheaper sort; in a live book what the exchange charges, and orders that give up 25 basis points beyond the spread. */
function costsOf({ BOOK, EXCHANGE, TRADING_FEE_BPS, TRADING_SLIPPAGE_BPS }: Settings): Costs {
  const [fee, slippage] = BOOK === 'live' ? [TAKER_FEES[EXCHANGE], 25] : [10, 5]
  return { TRADING_FEE_BPS: TRADING_FEE_BPS ?? fee, TRADING_SLIPPAGE_BPS: TRADING_SLIPPAGE_BPS ?? slippage }
}

export type Environment = Record<string, string | undefined>

/** Reads the environment once. A value that makes no sense, or a mixture of books, is one sentence and the end of the start. */
export function readConfig(environment?: Environment): Config {
  const read = readSettings(environment)
  if ('wrong' in read) throw new StartupError(read.wrong[0] ?? 'The settings are not valid.')
  const { settings } = read
  refuseMixtures(settings)
  const lacking = lackOfModel(settings)
  if (lacking !== undefined) throw new StartupError(lacking)
  return completeConfig(settings, settings.SESSION_SECRET ?? keptSecret(settings.DATA_DIR))
}

/** The settings, or a sentence for each that makes no sense. */
export function readSettings(environment: Environment = process.env): { settings: Settings } | { wrong: string[] } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const result = Settings.safeParse(given)
  if (!result.success) return { wrong: result.error.issues.map(({ path, message }) => `The setting ${String(path[0] ?? '')} is not valid: ${message}.`) }
  return { settings: { ...result.data, DATA_DIR: resolve(result.data.DATA_DIR) } }
}

export function completeConfig(settings: Settings, secret: string): Config {
  return { ...settings, ...costsOf(settings), SESSION_SECRET: secret }
}

/** A model that is asked for and cannot be reached would look like help search for ever. */
export function lackOfModel({ AI_PROVIDER, AI_MODEL, AI_BASE_URL, AI_API_KEY }: Settings): string | undefined {
  if (AI_PROVIDER === 'none') return undefined
  if (AI_MODEL === undefined) return `AI_PROVIDER=${AI_PROVIDER} needs the name of a model in AI_MODEL.`
  if (AI_PROVIDER === 'openai-compatible' && AI_BASE_URL === undefined) return 'AI_PROVIDER=openai-compatible needs the address of its endpoint in AI_BASE_URL.'
  return AI_PROVIDER === 'anthropic' && AI_API_KEY === undefined ? 'AI_PROVIDER=anthropic needs a key in AI_API_KEY.' : undefined
}

/** Where an installation keeps the secret that it was not given. */
export const secretFileOf = (dataDir: string): string => join(dataDir, 'session-secret')

/** The secret of this installation, made at its first start and kept beside its data. */
function keptSecret(dataDir: string): string {
  const file = secretFileOf(dataDir)
  try {
    makeFolder(dataDir)
    if (!existsSync(file)) keepNewSecret(file)
    const secret = readFileSync(file, 'utf8').trim()
    if (secret.length >= 32) return secret
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new StartupError(`DATA_DIR ${dataDir} cannot be written (${reason}).`)
  }
  throw new StartupError(`The secret in ${file} is damaged: put the file back from a backup.`)
}

/** Whole or not at all, and of two first starts one wins: sealed bank accounts can be read with this secret alone. */
function keepNewSecret(file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch {
    // Another start was first, or the file system knows no links.
    if (!existsSync(file)) renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}
