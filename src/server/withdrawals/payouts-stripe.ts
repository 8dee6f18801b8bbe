import type { FastifyBaseLogger } from 'fastify'
import type { Stripe } from 'stripe'
import { unitsToCents } from '#core/money/cents.ts'
import type { Outcome, Payout, Payouts } from '#server/ports/payouts.ts'
import { openStripe, type StripeAccess } from '#server/stripe/open-stripe.ts'

type Options = StripeAccess & {
  /** The account at Stripe that payouts are drawn from. */
  financialAccount: string
  log: FastifyBaseLogger
  now: () => Date
}

const POLL_EVERY_MS = 60_000
/**
 * Stripe keeps an idempotency key for at least 24 hours. An older payout without a known reference
 * is searched for at Stripe, never sent again.
 */
const SENDS_FOR_MS = 12 * 3_600_000
const MOST_LOOKED_THROUGH = 2_000

type OutboundPayment = Stripe.V2.MoneyManagement.OutboundPayment

/**
 * By outbound payments. The withdrawal's id is the idempotency key: a repeated request returns the
 * lost response, and nothing is paid twice.
 */
export function stripePayouts({ financialAccount, log, now, ...access }: Options): Payouts {
  const open = openStripe(access)
  return {
    provider: 'stripe',
    approvesAfterMs: undefined,
    pollEveryMs: POLL_EVERY_MS,
    outcome: async (payout) => {
      const stripe = await open()
      const known =
        payout.reference === null
          ? undefined
          : await stripe.v2.moneyManagement.outboundPayments.retrieve(payout.reference)
      if (known) return outcomeOf(known)
      if (now().getTime() - payout.submittedAt.getTime() < SENDS_FOR_MS)
        return send(stripe, { payout, financialAccount, log })
      const found = await lookFor(stripe, payout)
      if (!found)
        log.error(
          { withdrawalId: payout.id },
          'Stripe has no payout for this withdrawal: an operator must investigate',
        )
      return found ? outcomeOf(found) : { status: 'submitted' }
    },
  }
}

function outcomeOf({ id, status }: OutboundPayment): Outcome {
  const outcomes = {
    processing: 'submitted',
    posted: 'paid',
    failed: 'failed',
    canceled: 'failed',
    returned: 'returned',
  } as const
  return { status: outcomes[status], reference: id }
}

type Sending = { payout: Payout; financialAccount: string; log: FastifyBaseLogger }

async function send(stripe: Stripe, { payout, financialAccount, log }: Sending): Promise<Outcome> {
  const payee = await payeeOf(stripe, payout).catch((error: unknown) => {
    if (!isRefused(error)) throw error
    log.warn(
      { err: error, withdrawalId: payout.id },
      'Stripe cannot pay to this bank account: the money goes back to the user',
    )
    return undefined
  })
  if (!payee) return { status: 'failed' }
  const made = await stripe.v2.moneyManagement.outboundPayments.create(
    {
      amount: { value: unitsToCents(payout.amount), currency: 'usd' },
      from: { financial_account: financialAccount, currency: 'usd' },
      to: { recipient: payee.recipient, payout_method: payee.method, currency: 'usd' },
      description: 'Withdrawal',
      metadata: { withdrawal_id: payout.id },
    },
    { idempotencyKey: `withdrawal-${payout.id}` },
  )
  return outcomeOf(made)
}

/** Recipient and payout method, created once under idempotency keys of their own. */
async function payeeOf(
  stripe: Stripe,
  { userId, payee }: Payout,
): Promise<{ recipient: string; method: string }> {
  const { name, email, bankAccountId, routingNumber, accountNumber, accountType } = payee()
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
    { idempotencyKey: `recipient-${bankAccountId}` },
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
    { idempotencyKey: `method-${bankAccountId}`, stripeContext: recipient },
  )
  if (!setup.payout_method)
    throw new Error(
      `Stripe made no payout method for the bank account: the setup is ${setup.status}`,
    )
  return { recipient, method: setup.payout_method.id }
}

/**
 * Whether the bank account is permanently unusable; temporary failures (no balance, no response,
 * rate limits) are retried.
 */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'InvalidPayoutMethodError'
}

async function lookFor(
  stripe: Stripe,
  { id, submittedAt }: Payout,
): Promise<OutboundPayment | undefined> {
  let looked = 0
  for await (const payment of stripe.v2.moneyManagement.outboundPayments.list({ limit: 100 })) {
    if (payment.metadata?.['withdrawal_id'] === id) return payment
    if (new Date(payment.created) < submittedAt) return undefined
    looked += 1
    if (looked >= MOST_LOOKED_THROUGH) throw new Error('too many payouts to search')
  }
  return undefined
}
