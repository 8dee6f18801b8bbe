import { existsSync } from 'node:fs'
import { claimsOf } from '#server/claims.ts'
import { lackOfModel, secretFileOf } from '#server/config.ts'
import { CARD_WEBHOOK } from '#server/deposits/receive-webhook.ts'
import { findMixtures } from '#server/refuse-mixtures.ts'
import type { Settings } from '#server/settings.ts'
import { supportOf } from '#server/support.ts'
import { missing, ok, wrong, type Finding } from './finding.ts'

/** Examines the settings by themselves. */
export function examineSettings(settings: Settings): Finding[] {
  return [...examineBook(settings), ...examineAddress(settings), examineSecret(settings), ...examinePayouts(settings), ...examineRest(settings)]
}

function examineBook(settings: Settings): Finding[] {
  const broken = findMixtures(settings)
  if (broken.length === 0) return [ok('book', `${settings.BOOK}, and no setting belongs to the other kind`)]
  return broken.map(({ sentence, lacks }) => (lacks ? missing : wrong)('book', sentence))
}

function examineAddress({ BOOK, PUBLIC_URL, TRUST_PROXY }: Settings): Finding[] {
  if (BOOK === 'paper') return [ok('address', PUBLIC_URL ?? 'taken from each request: set PUBLIC_URL if others reach this server')]
  const proxy = TRUST_PROXY
    ? ok('proxy', 'its headers are trusted: let only the proxy reach HOST and PORT')
    : wrong('proxy', 'a live book needs TLS, which a proxy terminates: set TRUST_PROXY=true behind it, or cookies are not secure and all users share one address')
  if (PUBLIC_URL === undefined) return [missing('address', 'set PUBLIC_URL to the https address that users see'), proxy]
  if (!PUBLIC_URL.startsWith('https:')) return [wrong('address', `PUBLIC_URL is ${PUBLIC_URL}: a live book needs https`), proxy]
  return [ok('address', PUBLIC_URL), proxy]
}

function examineSecret({ BOOK, SESSION_SECRET, DATA_DIR }: Settings): Finding {
  if (SESSION_SECRET !== undefined) return ok('secret', 'SESSION_SECRET is set: keep a copy with the backups')
  const file = secretFileOf(DATA_DIR)
  if (existsSync(file)) return ok('secret', `stored in ${file}: keep a copy with the backups`)
  const message = `there is none in ${DATA_DIR}: the first start creates one, or set SESSION_SECRET; without it, encrypted bank accounts cannot be read`
  return BOOK === 'live' ? missing('secret', message) : ok('secret', message)
}

function examinePayouts(settings: Settings): Finding[] {
  const { BOOK, PAYOUTS, OPERATOR, PAYOUT_SECOND_PERSON_ABOVE: limit } = settings
  if (PAYOUTS === 'stripe') return [ok('payouts', 'through Stripe')]
  if (BOOK === 'paper') return [ok('payouts', 'sandbox: nothing is paid out')]
  const who = OPERATOR === undefined ? missing('operator', 'set OPERATOR to your name: it appears in the audit trail') : ok('operator', OPERATOR)
  return [examineBankFile(settings), who, ok('second person', `above $${limit} two operators must approve`)]
}

function examineBankFile({ PAYOUT_BANK_ROUTING, PAYOUT_COMPANY_ID, PAYOUT_COMPANY_NAME }: Settings): Finding {
  const given = [PAYOUT_BANK_ROUTING, PAYOUT_COMPANY_ID, PAYOUT_COMPANY_NAME].filter((setting) => setting !== undefined).length
  if (given === 3) return ok('payouts', 'by bank file, CSV and ACH')
  if (given === 0) return ok('payouts', 'by bank file, CSV only: ACH needs PAYOUT_BANK_ROUTING, PAYOUT_COMPANY_ID and PAYOUT_COMPANY_NAME')
  return missing('payouts', 'ACH needs all of PAYOUT_BANK_ROUTING, PAYOUT_COMPANY_ID and PAYOUT_COMPANY_NAME: otherwise only CSV is written')
}

function examineRest(settings: Settings): Finding[] {
  const { BOOK, OPERATOR_LICENCE, OPERATOR_POOLING, DEPOSIT_MINIMUM, DEPOSIT_MAXIMUM, STRIPE_WEBHOOK_SECRET, PUBLIC_URL } = settings
  const lacking = lackOfModel(settings)
  return [
    ...examineSupport(settings),
    ...(OPERATOR_LICENCE === undefined ? [] : [ok('licence', `shown as: ${OPERATOR_LICENCE}`)]),
    ...(BOOK === 'live' && OPERATOR_POOLING !== undefined ? [ok('pools', "OPERATOR_POOLING acknowledges that customers' money is traded in common pools")] : []),
    examineClaims(settings),
    DEPOSIT_MINIMUM > DEPOSIT_MAXIMUM
      ? wrong('limits', `nobody can deposit: DEPOSIT_MINIMUM ${DEPOSIT_MINIMUM} is above DEPOSIT_MAXIMUM ${DEPOSIT_MAXIMUM}`)
      : ok('limits', `deposits from $${DEPOSIT_MINIMUM} to $${DEPOSIT_MAXIMUM}`),
    ...(STRIPE_WEBHOOK_SECRET === undefined ? [] : [ok('webhook', `a secret is set; it must be the one of the webhook ${PUBLIC_URL ?? 'PUBLIC_URL'}${CARD_WEBHOOK} at Stripe`)]),
    ...(lacking === undefined ? [] : [missing('help', lacking)]),
  ]
}

function examineClaims(settings: Settings): Finding {
  if (claimsOf(settings) === 'evidence') return ok('claims', 'of returns, users see the figures of the evidence, and no target')
  const law = settings.BOOK === 'live' ? ': settle with a lawyer whether you may name them' : ''
  return ok('claims', `of returns, users see "Up to 75% Returns" and the target of each risk level${law}`)
}

function examineSupport(settings: Settings): Finding[] {
  const support = supportOf(settings)
  if (support !== null) return [ok('support', `shown to users: ${support.address}`)]
  return settings.BOOK === 'paper' ? [] : [missing('support', 'users have no way to reach you: set SUPPORT_EMAIL or SUPPORT_URL')]
}
