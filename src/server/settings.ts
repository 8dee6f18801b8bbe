import { z } from 'zod'
import { DEFAULT_COSTS } from '#core/trading/costs.ts'
import { isRoutingNumber } from '#core/withdrawals/bank-account.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const bps = z.coerce.number().int().min(0).max(1_000)
const webAddress = z.url({ protocol: /^https?$/ })
const ROLES = ['web', 'engine', 'jobs'] as const

/** Every setting, each with a default that works; `.env.example` explains them. */
export const Settings = z.object({
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
  CLAIMS: z.enum(['auto', 'targets', 'evidence']).default('auto'),
  SUPPORT_EMAIL: z.email().max(254).optional(),
  SUPPORT_URL: webAddress.max(500).optional(),
  TRADING_FEE_BPS: bps.optional(),
  TRADING_HALF_SPREAD_BPS: bps.default(DEFAULT_COSTS.halfSpreadBps),
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
