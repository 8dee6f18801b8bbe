import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Stripe } from 'stripe'
import { unitsToCents } from '#core/money/cents.ts'
import type { PayoutWait } from '#core/withdrawals/payout-wait.ts'
import type { PayoutOutcome, Payout, Payouts } from '#server/ports/payouts.ts'
import { openStripe, type StripeAccess } from '#server/stripe/open-stripe.ts'

type Options = StripeAccess & {
  /** The account at Stripe that payouts are drawn from. */
  financialAccount: string
  log: FastifyBaseLogger
  now: () => Date
}

const POLL_EVERY_MS = 60_000
const HOUR_MS = 3_600_000
/**
 * Stripe keeps an idempotency key for at least 24 hours. An older payout without a known reference
 * is searched for at Stripe and never sent again. If Stripe does not list it an hour later, it was
 * never sent.
 */
const SENDS_FOR_MS = 23 * HOUR_MS
const LISTED_AFTER_MS = 24 * HOUR_MS
/** The search for a payment begins this long before its submission, because clocks may differ. */
const LOOKS_BACK_MS = HOUR_MS
const MOST_LOOKED_THROUGH = 20_000

type OutboundPayment = Stripe.V2.MoneyManagement.OutboundPayment

/**
 * Pays by Stripe's outbound payments. The withdrawal's id is the idempotency key: a repeated
 * request returns the lost response, and nothing is paid twice.
 */
export function stripePayouts({ financialAccount, log, now, ...access }: Options): Payouts {
  const open = openStripe(access)
  return {
    provider: 'stripe',
    account: financialAccount,
    approvesAfterMs: undefined,
    pollEveryMs: POLL_EVERY_MS,
    outcome: async (payout) => {
      const stripe = await open()
      const { outboundPayments } = stripe.v2.moneyManagement
      if (payout.reference !== null)
        return outcomeOf(await outboundPayments.retrieve(payout.reference))
      const ageMs = now().getTime() - payout.submittedAt.getTime()
      if (ageMs < SENDS_FOR_MS) return send(stripe, { payout, financialAccount, log })
      const found = await lookFor(stripe, payout)
      if (found) return outcomeOf(found)
      return payout.isUnsent || ageMs >= LISTED_AFTER_MS
        ? { status: 'failed', reason: 'never-sent' }
        : { status: 'submitted', waits: 'unknown' }
    },
  }
}

const OUTCOMES: Record<string, PayoutOutcome['status']> = {
  processing: 'submitted',
  posted: 'paid',
  failed: 'failed',
  canceled: 'failed',
  returned: 'returned',
}

/** A status that we do not know, such as one that Stripe adds later, counts as submitted. */
function outcomeOf({ id, status, status_details: details }: OutboundPayment): PayoutOutcome {
  const known = OUTCOMES[status] ?? 'submitted'
  const waits = known !== 'submitted' ? {} : waitOf(status, details?.processing?.reason)
  return {
    status: known,
    reference: id,
    ...waits,
    reason: details?.failed?.reason ?? details?.returned?.reason,
  }
}

function waitOf(status: string, reason: string | undefined): { waits?: PayoutWait } {
  if (status !== 'processing') return { waits: 'unknown' }
  return reason === 'under_review' ? { waits: 'review' } : {}
}

/**
 * 'refused': the payout never happens. 'unknown': Stripe does not document the error for our calls.
 */
type Meaning = 'refused' | Exclude<PayoutWait, 'review' | 'away'>

/**
 * The error classes of Stripe's client, by what each means for a payout. Classes that Stripe
 * documents for other calls mean nothing for ours.
 */
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  BlockedByStripeError: 'refused',
  InvalidPayoutMethodError: 'refused',
  RecipientNotNotifiableError: 'refused',
  InsufficientFundsError: 'funds',
  CapabilityNotEnabledError: 'not-enabled',
  FeatureNotEnabledError: 'not-enabled',
  FinancialAccountNotOpenError: 'not-enabled',
  QuotaExceededError: 'limit',
  CannotProceedError: 'bank-account',
  ControlledByAlternateResourceError: 'bank-account',
  RateLimitError: 'busy',
  StripeRateLimitError: 'busy',
  StripeAuthenticationError: 'key',
  StripePermissionError: 'key',
  StripeInvalidRequestError: 'request',
  AlreadyCanceledError: 'unknown',
  FxQuoteNeedsRefreshError: 'unknown',
  InvalidPaymentMethodError: 'unknown',
  InvalidVaultedCredentialError: 'unknown',
  NotCancelableError: 'unknown',
  TemporarySessionExpiredError: 'unknown',
  VerificationAttemptFailedError: 'unknown',
  VerificationExpiredError: 'unknown',
  VerificationNotInitiatedError: 'unknown',
  StripeAPIError: 'unknown',
  StripeCardError: 'unknown',
  StripeConnectionError: 'unknown',
  StripeError: 'unknown',
  StripeIdempotencyError: 'unknown',
  StripeInvalidClientError: 'unknown',
  StripeInvalidGrantError: 'unknown',
  StripeInvalidScopeError: 'unknown',
  StripeOAuthError: 'unknown',
  StripeOAuthInvalidRequestError: 'unknown',
  StripeSignatureVerificationError: 'unknown',
  StripeUnsupportedGrantTypeError: 'unknown',
  StripeUnsupportedResponseTypeError: 'unknown',
}

/**
 * Answers that Stripe may give before it checks the idempotency key. An earlier request may have
 * succeeded all the same if its answer was lost, as when the client repeated it by itself.
 */
const PROVES_NOTHING: ReadonlySet<Meaning> = new Set(['busy', 'key', 'unknown'])

type Sending = { payout: Payout; financialAccount: string; log: FastifyBaseLogger }

async function send(
  stripe: Stripe,
  { payout, financialAccount, log }: Sending,
): Promise<PayoutOutcome> {
  let isRequested = false
  try {
    const payee = await payeeOf(stripe, payout)
    if (!payee) return outcomeAfter('bank-account', { isNothingSent: payout.isUnsent })
    isRequested = true
    const made = await stripe.v2.moneyManagement.outboundPayments.create(
      {
        amount: { value: unitsToCents(payout.amount), currency: 'usd' },
        from: { financial_account: financialAccount, currency: 'usd' },
        to: { recipient: payee.recipient, payout_method: payee.method, currency: 'usd' },
        description: 'Withdrawal',
        recipient_notification: { setting: 'none' },
        metadata: { withdrawal_id: payout.id },
      },
      { idempotencyKey: `withdrawal-${payout.id}` },
    )
    return outcomeOf(made)
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? String(error.type) : ''
    const meaning = MEANINGS[type] ?? 'unknown'
    log.warn({ err: error, withdrawalId: payout.id, meaning }, 'Stripe has not taken a payout')
    const isNothingSent = isRequested ? !PROVES_NOTHING.has(meaning) : payout.isUnsent
    return outcomeAfter(meaning, { isNothingSent, type })
  }
}

function outcomeAfter(
  meaning: Meaning,
  { isNothingSent, type }: { isNothingSent: boolean; type?: string },
): PayoutOutcome {
  if (!isNothingSent) return { status: 'submitted', waits: 'unknown' }
  if (meaning === 'refused') return { status: 'failed', reason: type }
  return { status: 'submitted', waits: meaning === 'unknown' ? 'away' : meaning }
}

/**
 * Recipient and payout method, each created once under its own idempotency key. Stripe refuses a
 * key with other content, so an owner with another name or address is a new recipient.
 */
async function payeeOf(
  stripe: Stripe,
  { userId, payee }: Payout,
): Promise<{ recipient: string; method: string } | undefined> {
  const { name, email, bankAccountId, routingNumber, accountNumber, accountType } = payee()
  const owner = createHash('sha256')
    .update(JSON.stringify([name, email]))
    .digest('hex')
  const { id: recipient } = await stripe.v2.core.accounts.create(
    {
      display_name: name,
      ...(email && { contact_email: email }),
      identity: { country: 'us', entity_type: 'individual' },
      configuration: {
        recipient: { capabilities: { bank_accounts: { local: { requested: true } } } },
      },
      metadata: { user_id: userId },
    },
    { idempotencyKey: `recipient-${bankAccountId}-${owner}` },
  )
  const bankAccount = {
    account_number: accountNumber,
    routing_number: routingNumber,
    bank_account_type: accountType,
    country: 'us',
    currency: 'usd',
  }
  const setup = await stripe.v2.moneyManagement.outboundSetupIntents.create(
    {
      payout_method_data: { type: 'bank_account', bank_account: bankAccount },
      usage_intent: 'payment',
    },
    { idempotencyKey: `method-${bankAccountId}-${owner}`, stripeContext: recipient },
  )
  if (setup.status !== 'succeeded' || !setup.payout_method) return undefined
  return { recipient, method: setup.payout_method.id }
}

/** The search ends at the first older payment, because Stripe lists the newest first. */
async function lookFor(
  stripe: Stripe,
  { id, submittedAt }: Payout,
): Promise<OutboundPayment | undefined> {
  const since = submittedAt.getTime() - LOOKS_BACK_MS
  let [looked, last] = [0, Infinity]
  for await (const payment of stripe.v2.moneyManagement.outboundPayments.list({ limit: 100 })) {
    const created = new Date(payment.created).getTime()
    if (payment.metadata?.['withdrawal_id'] === id) return payment
    if (created > last) throw new Error('Stripe does not list the newest payouts first')
    if (last < since) return undefined
    last = created
    looked += 1
    if (looked >= MOST_LOOKED_THROUGH) throw new Error('too many payouts to search')
  }
  return undefined
}
