import { isExposed } from './database-address.ts'
import { isBehindTls } from './own-address.ts'
import type { Settings } from './settings.ts'
import { StartupError } from '#server/kernel/errors.ts'

/** `lacks`: true if a required setting is missing, false if a forbidden one is present. */
type Rule = { when: boolean; sentence: string; lacks: boolean }

const fault = (when: boolean, sentence: string): Rule => ({ when, sentence, lacks: false })
const lack = (when: boolean, sentence: string): Rule => ({ when, sentence, lacks: true })

/**
 * Throws the first broken rule. Real money must never trade at simulated fills, and paper money
 * must never reach a real bank.
 */
export function refuseMixtures(settings: Settings): void {
  const [broken] = findMixtures(settings)
  if (broken) throw new StartupError(broken.sentence)
}

/** Every rule that is broken. */
export function findMixtures(settings: Settings): Rule[] {
  return rulesOf(settings).filter(({ when }) => when)
}

function rulesOf(settings: Settings): Rule[] {
  return [
    ...paperRules(settings),
    ...liveRules(settings),
    ...halves(settings),
    fault(
      settings.MARKET_FEED === 'live' && (settings.MARKET_SPEED ?? 1) !== 1,
      'A live market runs in real time: MARKET_SPEED applies to simulated and recorded ' +
        'markets only.',
    ),
    fault(
      settings.DEPOSIT_MAXIMUM < settings.DEPOSIT_MINIMUM,
      `Nobody can deposit: DEPOSIT_MAXIMUM is ${settings.DEPOSIT_MAXIMUM} and below ` +
        `DEPOSIT_MINIMUM, which is ${settings.DEPOSIT_MINIMUM}.`,
    ),
  ]
}

const isTestKey = (key: string): boolean => /^[a-z]+_test_/.test(key)

/** The settings with a Stripe key that is a test key, or invalid. */
function stripeKeys(settings: Settings, kind: 'test' | 'live'): string {
  const names = (['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'] as const).filter(
    (name) => settings[name] !== undefined && isTestKey(settings[name]) === (kind === 'test'),
  )
  return names.join(' and ')
}

function paperRules(settings: Settings): Rule[] {
  const { BOOK, EXCHANGE_API_KEY, PAYOUTS, PUBLIC_URL, TRUST_PROXY } = settings
  if (BOOK !== 'paper') return []
  return [
    fault(
      stripeKeys(settings, 'live') !== '',
      `A paper book takes Stripe test keys only, and ${stripeKeys(settings, 'live')} has ` +
        'none: real money must never meet simulated fills.',
    ),
    fault(
      EXCHANGE_API_KEY !== undefined,
      'A paper book needs no exchange account: EXCHANGE_API_KEY belongs to a live book.',
    ),
    // A live book needs PUBLIC_URL in any case.
    lack(
      TRUST_PROXY !== undefined && PUBLIC_URL === undefined,
      'TRUST_PROXY needs PUBLIC_URL, the address that users open: a proxy passes on any ' +
        'host that a request claims.',
    ),
    fault(
      PAYOUTS === 'bank-file',
      'Paper money can never leave: PAYOUTS=bank-file needs a live book.',
    ),
  ]
}

function liveRules(settings: Settings): Rule[] {
  return settings.BOOK === 'live' ? [...liveOperator(settings), ...liveMoney(settings)] : []
}

function liveOperator(settings: Settings): Rule[] {
  const { OPERATOR_LICENCE, OPERATOR_POOLING } = settings
  return [
    fault(
      stripeKeys(settings, 'test') !== '',
      `A live book takes live Stripe keys only, and ${stripeKeys(settings, 'test')} has a ` +
        'test key: paper money must never become real.',
    ),
    lack(
      !isBehindTls(settings),
      'A live book needs the https address that users open in PUBLIC_URL.',
    ),
    ...exposedDatabases(settings).map((setting) =>
      fault(
        true,
        'A live book reaches a database elsewhere over TLS alone, with its certificate ' +
          `verified: add ?sslmode=verify-full to ${setting}, and check the file in sslrootcert ` +
          'if it names one.',
      ),
    ),
    fault(
      settings.NODE_TLS_REJECT_UNAUTHORIZED === '0',
      'A live book verifies certificates: NODE_TLS_REJECT_UNAUTHORIZED=0 would believe ' +
        'anybody who answers in the place of the database, the card provider or the exchange.',
    ),
    lack(
      OPERATOR_LICENCE === undefined,
      "A live book needs the operator's licence text in OPERATOR_LICENCE.",
    ),
    lack(
      OPERATOR_POOLING === undefined,
      "A live book pools customers' money, which collective-investment law may cover: read " +
        'docs/going-live.md, then set OPERATOR_POOLING=acknowledged.',
    ),
  ]
}

function liveMoney(settings: Settings): Rule[] {
  const { MARKET_FEED, MARKET_SPEED, PAYOUTS, EXCHANGE_API_KEY } = settings
  const unofficial = unofficialAddresses(settings)
  return [
    fault(
      MARKET_FEED === 'simulated' || MARKET_FEED === 'replay',
      `A live book cannot follow a ${MARKET_FEED} market.`,
    ),
    fault((MARKET_SPEED ?? 1) !== 1, 'A live book follows the real clock: MARKET_SPEED must be 1.'),
    lack(
      EXCHANGE_API_KEY === undefined,
      'A live book needs an exchange account: EXCHANGE_API_KEY and EXCHANGE_API_SECRET are ' +
        'missing.',
    ),
    fault(
      PAYOUTS === 'sandbox',
      'A live book pays out real money: PAYOUTS=sandbox only pretends to.',
    ),
    fault(
      unofficial.length > 0 && settings.PROVIDER_ADDRESSES === undefined,
      'A live book asks the providers themselves: ' +
        `${unofficial.join(' and ')} may answer with money that is not ` +
        'real. ' +
        ('Remove it, or set PROVIDER_ADDRESSES=unofficial if you trust that address like the ' +
          'provider.'),
    ),
  ]
}

/** Settings with the address of a database whose connection others may read or intercept. */
export function exposedDatabases(settings: Settings): string[] {
  return (['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_SESSION_URL'] as const).filter(
    (setting) => settings[setting] !== undefined && isExposed(settings[setting]),
  )
}

const STRIPE_ITSELF = /^https:\/\/api\.stripe\.com\/?$/

/** Settings of a live book that replace a provider's address. */
export function unofficialAddresses({
  BOOK,
  STRIPE_API_URL,
  EXCHANGE_REST_URL,
  EXCHANGE_WS_URL,
}: Settings): string[] {
  if (BOOK !== 'live') return []
  const given = {
    STRIPE_API_URL: STRIPE_ITSELF.test(STRIPE_API_URL ?? '') ? undefined : STRIPE_API_URL,
    EXCHANGE_REST_URL,
    EXCHANGE_WS_URL,
  }
  return Object.entries(given).flatMap(([name, address]) =>
    address === undefined ? [] : [`${name}=${address}`],
  )
}

const STRIPE_KEYS = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const

/** Rules against incomplete configurations, which would seem to work. */
function halves(settings: Settings): Rule[] {
  const has = (name: keyof Settings) => settings[name] !== undefined
  const stripe = STRIPE_KEYS.filter(has).length
  const paysByStripe = settings.PAYOUTS === 'stripe'
  return [
    lack(
      stripe !== 0 && stripe !== 3,
      'Stripe needs all of STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
    ),
    lack(
      has('EXCHANGE_API_KEY') !== has('EXCHANGE_API_SECRET'),
      'An exchange account needs both EXCHANGE_API_KEY and EXCHANGE_API_SECRET.',
    ),
    lack(
      has('SMTP_URL') !== has('MAIL_FROM'),
      'Mail needs both SMTP_URL, the mail server, and MAIL_FROM, the address that it comes from.',
    ),
    lack(
      has('DATABASE_OWNER_URL') && !has('DATABASE_URL'),
      'DATABASE_OWNER_URL needs DATABASE_URL, the address for the app: the embedded ' +
        'database has roles of its own.',
    ),
    lack(
      settings.CASH_YIELD_BPS > 0 && !has('CASH_YIELD_SOURCE'),
      'CASH_YIELD_BPS needs CASH_YIELD_SOURCE, where the money for this interest is from: ' +
        'users are told.',
    ),
    lack(
      has('DATABASE_SESSION_URL') && !has('DATABASE_URL'),
      'DATABASE_SESSION_URL needs DATABASE_URL, the address of the pooler in front of the ' +
        'same database.',
    ),
    lack(paysByStripe && !has('STRIPE_SECRET_KEY'), 'PAYOUTS=stripe needs Stripe keys.'),
    lack(
      paysByStripe && !has('STRIPE_FINANCIAL_ACCOUNT'),
      'PAYOUTS=stripe needs STRIPE_FINANCIAL_ACCOUNT, the account that payouts are drawn from.',
    ),
  ]
}
