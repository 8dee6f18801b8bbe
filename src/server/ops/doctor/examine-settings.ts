import { existsSync } from 'node:fs'
import { percentOfBps } from '#core/money/percent.ts'
import { LIVE_WITHDRAWAL_HOLD_HOURS } from '#core/withdrawals/hold-reason.ts'
import { changeHoldHours, lackOfModel, secretFileOf } from '#server/settings/config.ts'
import { CARD_EVENTS, CARD_WEBHOOK } from '#server/deposits/receive-webhook.ts'
import { isBehindTls } from '#server/settings/own-address.ts'
import {
  exposedDatabases,
  findMixtures,
  unofficialAddresses,
} from '#server/settings/refuse-mixtures.ts'
import { type Settings, claimsOf, supportOf } from '#server/settings/settings.ts'
import { missing, ok, runChecks, wrong, type Checks, type Finding } from './finding.ts'

export const examineSettings = (settings: Settings): Promise<Finding[]> =>
  runChecks(CHECKS, settings)

/** Source: NIST SP 800-63B-4, which asks for eight characters beside a second factor. */
const SAFE_PASSWORD = 8

const CHECKS: Checks<Settings> = {
  book: (settings) => {
    const broken = findMixtures(settings)
    if (broken.length === 0) return ok(`${settings.BOOK}, and no setting belongs to the other kind`)
    return broken.map(({ sentence, lacks }) => (lacks ? missing : wrong)(sentence))
  },
  // Reported as wrong even if the operator has acknowledged it, so that nobody gets used to it.
  provider: (settings) =>
    unofficialAddresses(settings).map((setting) =>
      wrong(
        `${setting} is not the provider's own address: whoever answers there decides what ` +
          'counts as real money',
      ),
    ),
  // A live book without an https address is reported with the checks of the book.
  address: (settings) => {
    const { BOOK, PUBLIC_URL } = settings
    if (BOOK === 'paper')
      return ok(PUBLIC_URL ?? 'taken from each request: set PUBLIC_URL if others reach this server')
    return PUBLIC_URL !== undefined && isBehindTls(settings) ? ok(PUBLIC_URL) : undefined
  },
  proxy: ({ BOOK, TRUST_PROXY }) => {
    if (BOOK === 'paper') return undefined
    if (TRUST_PROXY !== undefined)
      return ok('its headers are trusted: let only the proxy reach HOST and PORT')
    return wrong(
      'a live book needs TLS, which a proxy terminates: set TRUST_PROXY to the number of ' +
        'proxies or their networks, or all users share one address',
    )
  },
  // A live book with an exposed database does not start; the checks of the book report it.
  'database address': (settings) => {
    const exposed = exposedDatabases(settings)
    if (exposed.length === 0)
      return settings.DATABASE_URL === undefined
        ? undefined
        : ok('on this machine, or with a verified certificate')
    if (settings.BOOK === 'live') return undefined
    return exposed.map((setting) =>
      wrong(`others may read what ${setting} is asked: add ?sslmode=verify-full`),
    )
  },
  secret: ({ BOOK, SESSION_SECRET, DATA_DIR }) => {
    const file = secretFileOf(DATA_DIR)
    const isSet = SESSION_SECRET !== undefined
    if (isSet || existsSync(file))
      return ok(
        `${isSet ? 'SESSION_SECRET is set' : `stored in ${file}`}: keep a copy, apart from the ` +
          'backups',
      )
    return (BOOK === 'live' ? missing : ok)(
      `there is none in ${DATA_DIR}: the first start creates one, or set SESSION_SECRET; ` +
        'without it, neither bank accounts nor backups can be read, and the book does not start',
    )
  },
  payouts: (settings) => {
    if (settings.PAYOUTS === 'stripe') return ok('through Stripe')
    if (settings.BOOK === 'paper') return ok('sandbox: nothing is paid out')
    const given = BANK_FILE.filter((name) => settings[name] !== undefined).length
    if (given === BANK_FILE.length) return ok('by bank file, CSV and ACH')
    const names = 'PAYOUT_BANK_ROUTING, PAYOUT_COMPANY_ID and PAYOUT_COMPANY_NAME'
    return given === 0
      ? ok(`by bank file, CSV only: ACH needs ${names}`)
      : missing(`ACH needs all of ${names}: otherwise only CSV is written`)
  },
  'second person': ({ BOOK, PAYOUTS, PAYOUT_SECOND_PERSON_ABOVE: limit }) =>
    PAYOUTS === 'stripe' || BOOK === 'paper'
      ? undefined
      : ok(`above $${limit} two operators must approve`),
  support: (settings) => {
    const support = supportOf(settings)
    if (support !== null) return ok(`shown to users: ${support.address}`)
    return settings.BOOK === 'paper'
      ? undefined
      : missing('users have no way to reach you: set SUPPORT')
  },
  withdrawals: (settings) => {
    if (settings.BOOK === 'paper') return undefined
    const hours = changeHoldHours(settings)
    return hours >= LIVE_WITHDRAWAL_HOLD_HOURS
      ? ok(`wait ${hours} hours after a change of how a user signs in or where money goes`)
      : wrong(
          `WITHDRAWAL_HOLD_HOURS is ${hours}: a thief could empty an account before its owner ` +
            `has read about it; set at least ${LIVE_WITHDRAWAL_HOLD_HOURS}`,
        )
  },
  licence: ({ OPERATOR_LICENCE }) =>
    OPERATOR_LICENCE === undefined ? undefined : ok(`shown as: ${OPERATOR_LICENCE}`),
  pools: ({ BOOK, OPERATOR_POOLING }) =>
    BOOK === 'paper' || OPERATOR_POOLING === undefined
      ? undefined
      : ok("OPERATOR_POOLING acknowledges that customers' money is traded in common pools"),
  claims: (settings) => {
    if (claimsOf(settings) === 'evidence')
      return ok('of returns, users see the figures of the evidence, and no target')
    const law = settings.BOOK === 'live' ? ': settle with a lawyer whether you may name them' : ''
    return ok(`of returns, users see "Up to 75% Returns" and the target of each risk level${law}`)
  },
  interest: ({ BOOK, CASH_YIELD_BPS: rateBps, CASH_YIELD_SOURCE: source }) => {
    if (rateBps === 0) return ok('idle cash earns nothing')
    if (source === undefined)
      return missing(
        'CASH_YIELD_BPS needs CASH_YIELD_SOURCE, where the money for this interest is from: ' +
          'users are told',
      )
    return ok(
      `idle cash earns ${percentOfBps(rateBps)} % a year, from: ${source}; ` +
        (BOOK === 'paper'
          ? 'on paper'
          : 'you pay it: npm run ops -- interest says how much is still to come'),
    )
  },
  limits: ({ DEPOSIT_MINIMUM, DEPOSIT_MAXIMUM }) =>
    DEPOSIT_MINIMUM > DEPOSIT_MAXIMUM
      ? undefined
      : ok(`deposits from $${DEPOSIT_MINIMUM} to $${DEPOSIT_MAXIMUM}`),
  webhook: ({ STRIPE_WEBHOOK_SECRET, PUBLIC_URL = 'PUBLIC_URL' }) =>
    STRIPE_WEBHOOK_SECRET === undefined
      ? undefined
      : ok(
          `a secret is set; it must be the one of the webhook ${PUBLIC_URL}${CARD_WEBHOOK} at ` +
            `Stripe, for ${CARD_EVENTS.join(', ')}`,
        ),
  passwords: ({ BOOK, PASSWORD_MINIMUM: minimum }) => {
    const found = `new ones have at least ${minimum} characters and are on no list of breached ones`
    return BOOK === 'paper' || minimum >= SAFE_PASSWORD
      ? ok(found)
      : wrong(`${found}: set PASSWORD_MINIMUM to ${SAFE_PASSWORD} or more, better 12`)
  },
  help: (settings) => {
    const lacking = lackOfModel(settings)
    return lacking === undefined ? undefined : missing(lacking)
  },
}

const BANK_FILE = ['PAYOUT_BANK_ROUTING', 'PAYOUT_COMPANY_ID', 'PAYOUT_COMPANY_NAME'] as const
