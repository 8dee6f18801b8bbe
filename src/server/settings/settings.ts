import { isIP } from 'node:net'
import { z } from 'zod'
import { isReachableContact } from '#core/notices/push-answer.ts'
import { MOST_CASH_YIELD_BPS } from '#core/trading/cash-yield.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { isRoutingNumber } from '#core/withdrawals/bank-account.ts'
import {
  addressesOfChains,
  databaseAddress,
  decimal,
  email,
  emailOrPage,
  host,
  key,
  line,
  mailAddress,
  moment,
  MOST,
  oneOf,
  secretText,
  socketAddress,
  someOf,
  webAddress,
  whole,
} from './setting-kinds.ts'
import type { PublicConfig } from '#contract/config.ts'

const PROXY_SENTENCE =
  'it is the number of proxies in front of this server, such as 1, or their networks, such as ' +
  '10.0.0.0/8'

/**
 * Trusted proxies: their number, counted from this server, or their networks. Undefined for none.
 * Threat: with a mere flag, every caller would be trusted to state its own address, scheme and
 * host.
 */
function readProxies(text: string, ctx: z.RefinementCtx): number | string[] | undefined {
  if (text === 'false' || text === '0') return undefined
  if (/^[1-9]$/.test(text)) return Number(text)
  const networks = text.split(',').map((part) => part.trim())
  if (networks.every(isNetwork)) return networks
  ctx.addIssue({
    code: 'custom',
    message: text === 'true' ? `true would believe everybody; ${PROXY_SENTENCE}` : PROXY_SENTENCE,
  })
  return z.NEVER
}

const WIDTHS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** Whether a text is an address, or a network other than the whole internet. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const width = WIDTHS[isIP(address)]
  return (
    width !== undefined &&
    rest.length === 0 &&
    (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= width))
  )
}

/** Every setting, with a working default; `.env.example` explains them. */
export const Settings = z.object({
  PORT: whole(0, 65_535).default(5000),
  HOST: host().default('127.0.0.1'),
  DATA_DIR: line().default('.data'),
  DATABASE_URL: databaseAddress().optional(),
  DATABASE_OWNER_URL: databaseAddress().optional(),
  DATABASE_SESSION_URL: databaseAddress().optional(),
  NODE_TLS_REJECT_UNAUTHORIZED: oneOf('0', '1').optional(),
  BOOK: oneOf('paper', 'live').default('paper'),
  HOLD_FEE_BPS: whole(0, PERFORMANCE_FEE_BPS).default(0),
  CASH_YIELD_BPS: whole(0, MOST_CASH_YIELD_BPS).default(0),
  CASH_YIELD_SOURCE: line(80).optional(),
  MARKET_FEED: oneOf('auto', 'simulated', 'replay', 'live').default('auto'),
  MARKET_DATA_DIR: line().default('data/candles'),
  MARKET_SPEED: decimal(0, 100_000).optional(),
  MARKET_SEED: whole(0, 4_294_967_295).default(24),
  MARKET_START: moment().optional(),
  ROLES: someOf('web', 'engine', 'jobs').default(['web', 'engine', 'jobs']),
  PUBLIC_URL: webAddress().optional(),
  TRUST_PROXY: z.string().transform(readProxies).optional(),
  MONITOR_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,}$/, 'it has at least 16 letters, digits and -._~+/=')
    .optional(),
  SESSION_DAYS: whole(1, 365).default(30),
  ACTIONS_PER_ADDRESS: whole(4, MOST).default(32),
  SESSION_IDLE_DAYS: whole(1, 365).default(14),
  SESSION_SECRET: z.string().min(32, 'it has at least 32 characters').optional(),
  PREVIOUS_SESSION_SECRET: z.string().min(32, 'it has at least 32 characters').optional(),
  STRIPE_SECRET_KEY: key().optional(),
  STRIPE_PUBLISHABLE_KEY: key().optional(),
  STRIPE_WEBHOOK_SECRET: key().optional(),
  STRIPE_API_URL: webAddress().optional(),
  STRIPE_FINANCIAL_ACCOUNT: key().optional(),
  PAYOUTS: oneOf('auto', 'sandbox', 'bank-file', 'stripe').default('auto'),
  EXCHANGE: oneOf('kraken', 'binance', 'coinbase').default('kraken'),
  EXCHANGE_API_KEY: key().optional(),
  EXCHANGE_API_SECRET: secretText().optional(),
  EXCHANGE_REST_URL: webAddress().optional(),
  EXCHANGE_WS_URL: socketAddress().optional(),
  PROVIDER_ADDRESSES: oneOf('unofficial').optional(),
  RPC_URLS: addressesOfChains().optional(),
  AI_PROVIDER: oneOf('none', 'openai-compatible', 'anthropic').default('none'),
  AI_MODEL: line(200).optional(),
  AI_BASE_URL: webAddress().optional(),
  AI_API_KEY: key().optional(),
  AI_SILENCE_MS: whole(100, 20_000).default(6_000),
  OPERATOR_LICENCE: line(200).optional(),
  OPERATOR_POOLING: oneOf('acknowledged').optional(),
  OPERATOR_PORT: whole(0, 65_535).optional(),
  OPERATOR_HOST: host().default('127.0.0.1'),
  OPERATOR_TOKEN: key().optional(),
  CLAIMS: oneOf('auto', 'targets', 'evidence').default('auto'),
  SMTP_URL: mailAddress().optional(),
  MAIL_FROM: email().optional(),
  SUPPORT: emailOrPage().optional(),
  SECURITY_CONTACT: z
    .string()
    .max(300)
    .regex(/^(https:\/\/|mailto:)[^\s]+$/, 'it begins with https:// or mailto:')
    .optional(),
  TRADING_FEE_BPS: whole(0, 1_000).optional(),
  TRADING_HALF_SPREAD_BPS: whole(0, 1_000).optional(),
  TRADING_SLIPPAGE_BPS: whole(0, 1_000).optional(),
  VENUE_TOLERANCE: whole(0, MOST).default(10),
  DEPOSIT_MINIMUM: whole(1, MOST).default(10),
  DEPOSIT_MAXIMUM: whole(1, MOST).default(10_000),
  DEPOSIT_HOLD_HOURS: whole(0, 8_760).optional(),
  WITHDRAWAL_HOLD_HOURS: whole(0, 168).optional(),
  WITHDRAWAL_REVIEW_AMOUNT: whole(0, MOST).default(10_000),
  WITHDRAWAL_REVIEW_COUNT: whole(0, MOST).default(5),
  WITHDRAWAL_REVIEW_YOUNG: whole(0, MOST).default(5_000),
  PASSWORD_MINIMUM: whole(6, 100).default(6),
  PASSWORD_FILTER: line().optional(),
  PAYOUT_SECOND_PERSON_ABOVE: whole(0, MOST).default(1_000),
  PAYOUT_BANK_ROUTING: z
    .string()
    .refine(isRoutingNumber, 'it is not a US routing number')
    .optional(),
  PAYOUT_COMPANY_ID: z
    .string()
    .regex(/^[A-Z0-9]{1,10}$/i, 'it has up to 10 letters and digits')
    .optional(),
  // Restricted, because the bank's file has no other characters and must not have a blank name.
  PAYOUT_COMPANY_NAME: z
    .string()
    .regex(
      /^(?=.*[a-z0-9])[ -~]{1,23}$/i,
      'it has up to 23 Latin letters, digits and signs, at least one letter or digit',
    )
    .optional(),
  PAYOUT_DELAY_MS: whole(0, MOST).default(4_000),
  LOGIN_ATTEMPTS: whole(1, MOST / 10).default(10),
  SIGNUPS_PER_HOUR: whole(1, MOST).default(60),
  INTENTS_PER_HOUR: whole(1, MOST).default(60),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
})

export type Settings = z.infer<typeof Settings>

/**
 * Passwords, keys, and addresses that may contain one. Messages must not show them. See
 * `docs/keys.md`.
 */
export const SECRET_SETTINGS = [
  'SESSION_SECRET',
  'PREVIOUS_SESSION_SECRET',
  'MONITOR_TOKEN',
  'OPERATOR_TOKEN',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_SESSION_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'EXCHANGE_API_KEY',
  'EXCHANGE_API_SECRET',
  'RPC_URLS',
  'AI_API_KEY',
  'SMTP_URL',
] as const satisfies (keyof Settings)[]

/** A live book claims past results; a paper book may name targets. */
export function claimsOf({
  BOOK,
  CLAIMS,
}: Pick<Settings, 'BOOK' | 'CLAIMS'>): PublicConfig['claims'] {
  if (CLAIMS !== 'auto') return CLAIMS
  return BOOK === 'live' ? 'evidence' : 'targets'
}

/** Contact of the operator for push services. Without it, no push is offered. */
export const pushContactOf = ({
  SUPPORT,
  SECURITY_CONTACT,
  PUBLIC_URL,
}: Pick<Settings, 'SUPPORT' | 'SECURITY_CONTACT' | 'PUBLIC_URL'>): string | undefined =>
  [supportOf({ SUPPORT })?.href, SECURITY_CONTACT, PUBLIC_URL].find(
    (address) => address !== undefined && isReachableContact(address),
  )

export function supportOf({ SUPPORT }: Pick<Settings, 'SUPPORT'>): PublicConfig['support'] {
  if (SUPPORT === undefined) return null
  return { address: SUPPORT, href: SUPPORT.includes('://') ? SUPPORT : `mailto:${SUPPORT}` }
}
