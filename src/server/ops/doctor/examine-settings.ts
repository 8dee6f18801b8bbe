import { existsSync } from 'node:fs'
import { percentOfFraction } from '#core/money/percent.ts'
import { LIVE_HOLD_HOURS } from '#core/withdrawals/hold-reason.ts'
import { changeHoldHours, lackOfModel, secretFileOf } from '#server/settings/config.ts'
import { CARD_WEBHOOK } from '#server/deposits/receive-webhook.ts'
import { isBehindTls } from '#server/settings/own-address.ts'
import {
  exposedDatabases,
  findMixtures,
  unofficialAddresses,
} from '#server/settings/refuse-mixtures.ts'
import { type Settings, claimsOf, supportOf } from '#server/settings/settings.ts'
import { missing, ok, wrong, type Finding } from './finding.ts'

export function examineSettings(settings: Settings): Finding[] {
  return [
    ...examineBook(settings),
    ...examineProviders(settings),
    ...examineAddress(settings),
    ...examineTls(settings),
    examineSecret(settings),
    ...examinePayouts(settings),
    ...examineRest(settings),
  ]
}

function examineBook(settings: Settings): Finding[] {
  const broken = findMixtures(settings)
  if (broken.length === 0)
    return [ok('book', `${settings.BOOK}, and no setting belongs to the other kind`)]
  return broken.map(({ sentence, lacks }) => (lacks ? missing : wrong)('book', sentence))
}

/** Wrong even where it is acknowledged: nobody should get used to it. */
function examineProviders(settings: Settings): Finding[] {
  return unofficialAddresses(settings).map((setting) =>
    wrong(
      'provider',
      `${setting} is not the provider's own address: whoever answers there decides what ` +
        'counts as real money',
    ),
  )
}

/** A live book without an https address is named with the book. */
function examineAddress(settings: Settings): Finding[] {
  const { BOOK, PUBLIC_URL, TRUST_PROXY } = settings
  if (BOOK === 'paper')
    return [
      ok(
        'address',
        PUBLIC_URL ?? 'taken from each request: set PUBLIC_URL if others reach this server',
      ),
    ]
  const proxy =
    TRUST_PROXY === undefined
      ? wrong(
          'proxy',
          'a live book needs TLS, which a proxy terminates: set TRUST_PROXY to the number of ' +
            'proxies or their networks, or all users share one address',
        )
      : ok('proxy', 'its headers are trusted: let only the proxy reach HOST and PORT')
  return [
    ...(PUBLIC_URL !== undefined && isBehindTls(settings) ? [ok('address', PUBLIC_URL)] : []),
    proxy,
  ]
}

/** A live book does not start with one: then the fault is named with the book. */
function examineTls(settings: Settings): Finding[] {
  const { BOOK, DATABASE_URL } = settings
  const exposed = exposedDatabases(settings)
  if (exposed.length === 0)
    return DATABASE_URL === undefined
      ? []
      : [ok('database address', 'on this machine, or with a verified certificate')]
  return BOOK === 'live'
    ? []
    : exposed.map((setting) =>
        wrong(
          'database address',
          `others may read what ${setting} is asked: add ?sslmode=verify-full`,
        ),
      )
}

function examineSecret({ BOOK, SESSION_SECRET, DATA_DIR }: Settings): Finding {
  if (SESSION_SECRET !== undefined)
    return ok('secret', 'SESSION_SECRET is set: keep a copy, apart from the backups')
  const file = secretFileOf(DATA_DIR)
  if (existsSync(file))
    return ok('secret', `stored in ${file}: keep a copy, apart from the backups`)
  const message =
    `there is none in ${DATA_DIR}: the first start creates one, or set SESSION_SECRET; ` +
    'without it, neither bank accounts nor backups can be read, and the book does not start'
  return BOOK === 'live' ? missing('secret', message) : ok('secret', message)
}

function examinePayouts(settings: Settings): Finding[] {
  const { BOOK, PAYOUTS, PAYOUT_SECOND_PERSON_ABOVE: limit } = settings
  if (PAYOUTS === 'stripe') return [ok('payouts', 'through Stripe')]
  if (BOOK === 'paper') return [ok('payouts', 'sandbox: nothing is paid out')]
  return [
    examineBankFile(settings),
    ok('second person', `above $${limit} two operators must approve`),
  ]
}

function examineBankFile({
  PAYOUT_BANK_ROUTING,
  PAYOUT_COMPANY_ID,
  PAYOUT_COMPANY_NAME,
}: Settings): Finding {
  const given = [PAYOUT_BANK_ROUTING, PAYOUT_COMPANY_ID, PAYOUT_COMPANY_NAME].filter(
    (setting) => setting !== undefined,
  ).length
  if (given === 3) return ok('payouts', 'by bank file, CSV and ACH')
  if (given === 0)
    return ok(
      'payouts',
      'by bank file, CSV only: ACH needs PAYOUT_BANK_ROUTING, PAYOUT_COMPANY_ID and ' +
        'PAYOUT_COMPANY_NAME',
    )
  return missing(
    'payouts',
    'ACH needs all of PAYOUT_BANK_ROUTING, PAYOUT_COMPANY_ID and PAYOUT_COMPANY_NAME: ' +
      'otherwise only CSV is written',
  )
}

function examineHold(settings: Settings): Finding {
  const hours = changeHoldHours(settings)
  if (hours >= LIVE_HOLD_HOURS)
    return ok(
      'withdrawals',
      `wait ${hours} hours after a change of how a user signs in or where money goes`,
    )
  return wrong(
    'withdrawals',
    `WITHDRAWAL_HOLD_HOURS is ${hours}: a thief could empty an account before its owner has ` +
      `read about it; set at least ${LIVE_HOLD_HOURS}`,
  )
}

function examineInterest({
  BOOK,
  CASH_YIELD_BPS: rateBps,
  CASH_YIELD_SOURCE: source,
}: Settings): Finding {
  if (rateBps === 0) return ok('interest', 'idle cash earns nothing')
  if (source === undefined)
    return missing(
      'interest',
      'CASH_YIELD_BPS needs CASH_YIELD_SOURCE, where the money for this interest is from: ' +
        'users are told',
    )
  const said = `idle cash earns ${percentOfFraction(rateBps / 10_000)} % a year, from: ${source}`
  return ok(
    'interest',
    BOOK === 'paper'
      ? `${said}; on paper`
      : `${said}; you pay it: npm run ops -- interest says how much is still to come`,
  )
}

function examineRest(settings: Settings): Finding[] {
  const {
    BOOK,
    OPERATOR_LICENCE,
    OPERATOR_POOLING,
    DEPOSIT_MINIMUM,
    DEPOSIT_MAXIMUM,
    STRIPE_WEBHOOK_SECRET,
    PUBLIC_URL,
  } = settings
  const lacking = lackOfModel(settings)
  return [
    ...examineSupport(settings),
    ...(BOOK === 'live' ? [examineHold(settings)] : []),
    ...(OPERATOR_LICENCE === undefined ? [] : [ok('licence', `shown as: ${OPERATOR_LICENCE}`)]),
    ...(BOOK === 'live' && OPERATOR_POOLING !== undefined
      ? [
          ok(
            'pools',
            "OPERATOR_POOLING acknowledges that customers' money is traded in common pools",
          ),
        ]
      : []),
    examineClaims(settings),
    examineInterest(settings),
    ...(DEPOSIT_MINIMUM > DEPOSIT_MAXIMUM
      ? []
      : [ok('limits', `deposits from $${DEPOSIT_MINIMUM} to $${DEPOSIT_MAXIMUM}`)]),
    ...(STRIPE_WEBHOOK_SECRET === undefined
      ? []
      : [
          ok(
            'webhook',
            'a secret is set; it must be the one of the webhook ' +
              `${PUBLIC_URL ?? 'PUBLIC_URL'}${CARD_WEBHOOK} at Stripe`,
          ),
        ]),
    examinePasswords(settings),
    ...(lacking === undefined ? [] : [missing('help', lacking)]),
  ]
}

/** Source: NIST SP 800-63B-4, which asks for eight characters beside a second factor. */
const SAFE_PASSWORD = 8

function examinePasswords({ BOOK, PASSWORD_MINIMUM: minimum }: Settings): Finding {
  const found = `new ones have at least ${minimum} characters and are on no list of breached ones`
  if (BOOK === 'paper' || minimum >= SAFE_PASSWORD) return ok('passwords', found)
  return wrong('passwords', `${found}: set PASSWORD_MINIMUM to ${SAFE_PASSWORD} or more, better 12`)
}

function examineClaims(settings: Settings): Finding {
  if (claimsOf(settings) === 'evidence')
    return ok('claims', 'of returns, users see the figures of the evidence, and no target')
  const law = settings.BOOK === 'live' ? ': settle with a lawyer whether you may name them' : ''
  return ok(
    'claims',
    `of returns, users see "Up to 75% Returns" and the target of each risk level${law}`,
  )
}

function examineSupport(settings: Settings): Finding[] {
  const support = supportOf(settings)
  if (support !== null) return [ok('support', `shown to users: ${support.address}`)]
  return settings.BOOK === 'paper'
    ? []
    : [missing('support', 'users have no way to reach you: set SUPPORT')]
}
