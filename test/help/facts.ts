import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { LENGTHS } from '#core/auth/credentials.ts'
import { RECOVERY_CODES } from '#core/auth/recovery-code.ts'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { LEAST_PERCENT, MOST_PERCENT } from '#core/bots/take-out.ts'
import { WINDOW_DAYS } from '#core/evidence/universe.ts'
import { TARGETS } from '#core/evidence/target.ts'
import { PAIRS } from '#core/market/pair.ts'
import { ONE } from '#core/money/amount.ts'
import { CRYPTO_ASSETS } from '#core/money/asset.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { BALANCED_PERCENT } from '#core/strategy/balanced-share.ts'
import { CANDLES_A_DAY, lookbacksAt, PRESETS } from '#core/strategy/preset.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { FULL_EXPOSURE_BPS } from '#core/trading/rebalance.ts'
import { COUNT_LIMITS } from '#core/count-limits.ts'
import { NONCE_LIFETIME_MS } from '#core/wallets/nonce.ts'
import { FEWEST_DAYS, MOST_DAYS } from '#core/withdrawals/arrival.ts'
import { LIVE_WITHDRAWAL_HOLD_HOURS } from '#core/withdrawals/hold-reason.ts'
import { LONGEST_DELAY_HOURS } from '#core/withdrawals/protections.ts'
import { MINIMUM_WITHDRAWAL } from '#core/withdrawals/withdrawal.ts'
import { screens } from '#contract/screens.ts'
import { LANGUAGE_NAMES } from '#words/language.ts'
import { costsOf, readConfig } from '#server/settings/config.ts'
import { LINK_HOURS } from '#server/notices/link.ts'

export const config = readConfig({ SESSION_SECRET: 'x'.repeat(32) })
export const costs = costsOf(config, config.EXCHANGE)

/** A number in a file of the code that exports none: the first after `before`. */
function numberIn(file: string, before: string): number {
  const text = readFileSync(file, 'utf8')
  const at = text.indexOf(before)
  expect(at, `${file} has ${before}`).toBeGreaterThanOrEqual(0)
  return Number(/\d[\d_]*/.exec(text.slice(at + before.length))?.[0].replaceAll('_', ''))
}

const [, ...shares] =
  /SHARES_PERCENT = \[(\d+), (\d+), (\d+), 100\]/.exec(
    readFileSync('src/app/ui/forms/share-choice.tsx', 'utf8'),
  ) ?? []
const dollars = (amount: bigint): string => englishMoneyText({ amount, precision: 'whole' })
const grouped = (count: number): string => count.toLocaleString('en-US')
const percent = (bps: number): string => `${bps / 100}%`
const card = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
const SMALL = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
/** 'twelve' for 12 */
export const wordOf = (count: number): string => SMALL[count] ?? String(count)
const { from: lowFrom, to: lowTo } = TARGETS.conservative
const { from: midFrom, to: midTo } = TARGETS.moderate
const { from: highFrom, to: highTo } = TARGETS.aggressive
const targets = `${lowFrom}-${lowTo}%, ${midFrom}-${midTo}%, ${highFrom}-${highTo}%`
const days = lookbacksAt(costs).map((length) => length / CANDLES_A_DAY)
const fee = percent(PERFORMANCE_FEE_BPS)
const feeOf100 = `$${PERFORMANCE_FEE_BPS / 100}`
const minimum = dollars(MINIMUM_WITHDRAWAL)
const least = dollars(MINIMUM_INVESTMENT)
/** The articles that say how long withdrawals wait after a change. */
export const WAITING = [
  'bank-accounts',
  'forgot-password',
  'protect-withdrawals',
  'withdraw-limits',
  'withdraw-time',
]
const sandbox = 'src/server/deposits/payments-sandbox.ts'
const testCard = (name: string): string =>
  card(
    String(
      /'(\d{16})'/.exec(readFileSync(sandbox, 'utf8').split(`const ${name} = `)[1] ?? '')?.[1],
    ),
  )
const pairNames = CRYPTO_ASSETS.map((asset) => (asset === 'POL' ? 'MATIC (POL)' : asset))
const proofMinutes = numberIn('src/server/auth/proof.ts', 'PROOF_SECONDS = ') / 60
const rights = 'src/server/rights/store.ts'
const [, fewest, most] =
  /\[0-9\]\{(\d+),(\d+)\}/.exec(readFileSync('src/core/withdrawals/bank-account.ts', 'utf8')) ?? []
const presets =
  /\['(\d+)', '(\d+)', '(\d+)'\]/.exec(readFileSync('src/app/deposits/amount-step.tsx', 'utf8')) ??
  []

/** Statements of articles, composed with values of the code. */
export const FACTS: readonly (readonly [article: string, statement: string])[] = [
  ['authenticator', 'six digits'],
  ['bank-accounts', `up to ${COUNT_LIMITS['too-many-bank-accounts']} accounts`],
  ['bank-accounts', `account number (${fewest} to ${most} digits)`],
  ['bot-figures', 'standard deviation, times √365 for a year'],
  [
    'bot-figures',
    `appears after ${numberIn('src/core/strategy/metrics.ts', 'returns.length < ')} ` +
      'days of trading',
  ],
  [
    'bot-kinds',
    `keeps ${RISK_LEVELS.slice(0, -1)
      .map((level) => BALANCED_PERCENT[level])
      .join(', ')} or ${BALANCED_PERCENT.aggressive}% of the money`,
  ],
  ['bot-minimum', `at least ${least}`],
  ['plan', `an amount of at least ${least}`],
  ['bot-minimum', `up to ${COUNT_LIMITS['too-many-bots']} bots`],
  [
    'close-account',
    `stays for ${numberIn('src/server/withdrawals/erase-numbers.ts', 'DAYS_AFTER_PAYOUT = ')} days`,
  ],
  ['confirm', `for ${SMALL[proofMinutes]} minutes and once`],
  [
    'create-account',
    `Username: ${LENGTHS.username.minimum} to ${LENGTHS.username.maximum} characters`,
  ],
  [
    'create-account',
    `Password: at least ${config.PASSWORD_MINIMUM} characters, at most ${LENGTHS.password.maximum}`,
  ],
  [
    'create-bot',
    `a name (1 to ${numberIn('src/core/bots/bot.ts', 'tidied].length > ')} characters)`,
  ],
  ['deposit', `choose $${presets[1]}, $${presets[2]} or $${presets[3]}`],
  ['deposit-declined', `${testCard('SUCCEEDS')} succeeds`],
  ['deposit-limits', `at least $${config.DEPOSIT_MINIMUM}`],
  ['deposit-limits', `at most $${grouped(config.DEPOSIT_MAXIMUM)}`],
  ['deposit-limits', 'up to two decimals'],
  ['fees', `the venue's fee of ${percent(costs.feeBps)} on each trade`],
  ...[
    'platform-fee',
    'balance',
    'bot-figures',
    'take-out',
    'delete-bot',
    'trading-costs',
    'fees',
  ].map((article): [string, string] => [article, `about ${percent(totalCostBps(costs))}`]),
  ['fees', `Our fee: ${fee} of the profit`],
  ['forgot-password', LINK_HOURS.reset === 1 ? 'works once, for an hour' : 'another time'],
  [
    'install',
    `comes back after ${SMALL[numberIn('src/app/pwa/install-dismissal.ts', 'HIDDEN_MS = ')]} days`,
  ],
  ['language', `${LANGUAGE_NAMES.en} and German`],
  ['evidence', WINDOW_DAYS === 365 ? 'every twelve months' : 'another time'],
  [
    'privacy',
    numberIn(rights, "disconnected_at < now() - interval '") === 1
      ? 'disconnected wallets and past holds on withdrawals after a year'
      : 'another time',
  ],
  ['lost-phone', `You got ${SMALL[RECOVERY_CODES]} of them`],
  ['pairs', `There are ${SMALL[PAIRS.length]} pairs`],
  ...pairNames.map((name): [string, string] => ['pairs', name]),
  ['passkeys', `You can have ${SMALL[COUNT_LIMITS['too-many-passkeys']]}`],
  ['platform-fee', `Our fee is ${fee} of the profit`],
  ['platform-fee', `our fee is ${feeOf100}, and the rest`],
  ['platform-fee', `add up to at most ${fee}`],
  [
    'privacy',
    'Messages are erased after ' +
      `${numberIn(rights, "deliveries where created_at < now() - interval '")} days`,
  ],
  ['privacy', `Sessions end after ${config.SESSION_DAYS} days`],
  [
    'privacy',
    'the numbers of removed bank accounts ' +
      `${numberIn('src/server/withdrawals/erase-numbers.ts', 'DAYS_AFTER_PAYOUT = ')} days after`,
  ],
  [
    'privacy',
    numberIn(rights, "n.created_at < now() - interval '") === 1
      ? 'past holds on withdrawals after a year'
      : 'another time',
  ],
  ['protect-withdrawals', `a delay of up to ${LONGEST_DELAY_HOURS} hours`],
  [
    'protect-withdrawals',
    `requested within ${numberIn(
      'src/server/withdrawals/protection-store.ts',
      "created_at > now() - interval '",
    )} hours`,
  ],
  ...WAITING.map((article): [string, string] => [
    article,
    `With real money, withdrawals would wait ${LIVE_WITHDRAWAL_HOLD_HOURS} hours. Such a change is a new bank account`,
  ]),
  ['rename-bot', `1 to ${numberIn('src/core/bots/bot.ts', 'tidied].length > ')} characters`],
  ['returns', targets],
  ['track-record', `100 basis points are ${percent(100)}`],
  [
    'platform-fee',
    `you invest ${dollars(1_000n * ONE)} and the bot is sold for ${dollars(1_100n * ONE)}: ` +
      `the profit is ${dollars(100n * ONE)}`,
  ],
  ['risk-levels', targets],
  ...RISK_LEVELS.map((level): [string, string] => [
    'risk-levels',
    `- ${level}: ${PRESETS[level].targetVolatility * 100}%`,
  ]),
  ['routing-number', 'nine-digit code'],
  ['routing-number', `${fewest} to ${most} digits`],
  ['security', 'argon2id'],
  ['sessions', `lasts ${config.SESSION_DAYS} days`],
  ['sessions', `for ${config.SESSION_IDLE_DAYS} days`],
  ['sessions', `up to ${numberIn('src/server/auth/store.ts', 'MOST_SESSIONS = ')} devices`],
  ['sign-in', 'Too many attempts'],
  ['sign-in', `open ${screens.login.path}`],
  [
    'simulate',
    `the last ${numberIn('src/server/bots/simulate-bot.ts', 'SIMULATION_DAYS = ')} days of ` +
      'market time',
  ],
  ['strategy', `invested, up to ${FULL_EXPOSURE_BPS / 100}%`],
  ['strategy', `${days.slice(0, -1).join(', ')} and ${days.at(-1)} days`],
  ['strategy', `${SMALL[days.length]} Donchian channels`],
  ['take-out', `${LEAST_PERCENT} to ${MOST_PERCENT} percent`],
  ['take-out', `Our fee is ${fee} of the profit`],
  ...['SUCCEEDS', 'ASKS_FOR_CONFIRMATION', 'DECLINED', 'INSUFFICIENT'].map(
    (name): [string, string] => ['test-cards', testCard(name)],
  ),
  ['test-cards', `${testCard('DECLINED')} is declined`],
  ['test-cards', `${testCard('INSUFFICIENT')} has insufficient funds`],
  ['test-cards', `${testCard('ASKS_FOR_CONFIRMATION')} asks for a confirmation`],
  ['theme', `${LANGUAGE_NAMES.en} and German`],
  ['top-up', `at least ${least}`],
  ['trade-reasons', `lookbacks of ${days.slice(0, -1).join(', ')} and ${days.at(-1)} days`],
  ['trade-reasons', `of ${days.length} trends`],
  // Half of the trends are up, and a volatility of 48 % stands above a moderate bot's target.
  [
    'trade-reasons',
    `2 of ${days.length} trends are up, so ` +
      `${Math.round((PRESETS.moderate.targetVolatility / 0.48) * 50)}% ` +
      'of the money for this coin is invested',
  ],
  ['trade-reasons', `Coins were 56% of the money: back to ${BALANCED_PERCENT.moderate}%`],
  ['trading-costs', `fee of ${percent(costs.feeBps)} of its amount`],
  ['trading-costs', `half the spread, ${percent(costs.halfSpreadBps)}`],
  ['trading-costs', `by slippage, ${percent(costs.slippageBps)}`],
  ['wallet-trouble', `expired after ${SMALL[NONCE_LIFETIME_MS / 60_000]} minutes`],
  ['wallets', `up to ${COUNT_LIMITS['too-many-wallets']}`],
  ['withdraw', `from ${minimum} up`],
  ['withdraw', `${shares.map((share) => `${share}%`).join(', ')} or Max`],
  ['withdraw', `${FEWEST_DAYS}-${MOST_DAYS} business days`],
  ['withdraw-limits', `at least ${minimum}`],
  [
    'withdraw-limits',
    `after ${numberIn('src/server/deposits/held-deposits.ts', 'LIVE_DEPOSIT_HOLD_HOURS = ')} hours`,
  ],
  ['withdraw-time', `${FEWEST_DAYS}-${MOST_DAYS} business days`],
  ['withdraw-time', `older than ${SMALL[MOST_DAYS]} business days`],
]
