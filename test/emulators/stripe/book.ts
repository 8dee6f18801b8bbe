import { randomBytes } from 'node:crypto'
import { outcomeOf } from './cards.ts'
import type {
  Charge,
  Dispute,
  DisputeStatus,
  Metadata,
  PaymentIntent,
  Refund,
  RefundStatus,
  StripeEvent,
} from './objects.ts'
import { OutboundBook } from './outbound.ts'
import { declined, invalid } from './problem.ts'

type NewIntent = {
  amount: number
  currency: string
  metadata: Metadata
  description: string | null
  allowed?: string[] | null
}

const API_VERSION = '2026-10-28.endive'

/**
 * The records of one mode, test or live: intents, payments, refunds and disputes, and an event for
 * each. Amounts in cents.
 */
export class StripeBook {
  readonly livemode: boolean
  readonly intents = new Map<string, PaymentIntent>()
  readonly charges = new Map<string, Charge>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  readonly events: StripeEvent[] = []
  readonly outbound: OutboundBook
  /** The account's settlement currency. Payments in others are converted at 0.5. */
  settles = 'usd'
  readonly #now: () => Date

  constructor({ livemode, now }: { livemode: boolean; now: () => Date }) {
    this.livemode = livemode
    this.#now = now
    this.outbound = new OutboundBook({ livemode, now })
  }

  createIntent({
    amount,
    currency,
    metadata,
    description,
    allowed = null,
  }: NewIntent): PaymentIntent {
    const id = newName('pi')
    const intent: PaymentIntent = {
      id,
      object: 'payment_intent',
      amount,
      allowed_payment_method_types: allowed,
      amount_capturable: 0,
      amount_received: 0,
      automatic_payment_methods: null,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: 'automatic',
      client_secret: newName(`${id}_secret`),
      confirmation_method: 'automatic',
      created: this.#seconds(),
      currency,
      customer: null,
      description,
      last_payment_error: null,
      latest_charge: null,
      livemode: this.livemode,
      metadata,
      next_action: null,
      payment_method: null,
      payment_method_types: allowed ?? ['card'],
      receipt_email: null,
      status: 'requires_payment_method',
    }
    this.intents.set(id, intent)
    this.#tell('payment_intent.created', intent)
    return intent
  }

  /**
   * Pays with a test payment method, or returns what prevents it. `ask`: the confirmation page for
   * cards that require one.
   */
  confirm(
    intent: PaymentIntent,
    {
      paymentMethod,
      returnUrl,
      ask,
    }: { paymentMethod: string; returnUrl: string | null; ask: string },
  ): PaymentIntent {
    this.#refuseUnless(intent, ['requires_payment_method'], 'confirm')
    const outcome = outcomeOf(paymentMethod)
    if (outcome === undefined)
      throw invalid(`No such PaymentMethod: '${paymentMethod}'`, {
        code: 'resource_missing',
        param: 'payment_method',
      })
    intent.payment_method = paymentMethod
    if (outcome.error) {
      this.#fail(intent, outcome.error)
      throw declined(outcome.error, intent)
    }
    if (outcome.asks) {
      intent.status = 'requires_action'
      intent.next_action = {
        type: 'redirect_to_url',
        redirect_to_url: { url: ask, return_url: returnUrl },
      }
      this.#tell('payment_intent.requires_action', intent)
      return intent
    }
    this.#pay(intent)
    if (outcome.disputedAs) this.dispute(intent, { isInquiry: outcome.disputedAs === 'inquiry' })
    return intent
  }

  /** The cardholder's answer on the bank's confirmation page. */
  authenticate(intent: PaymentIntent, agreed: boolean): PaymentIntent {
    this.#refuseUnless(intent, ['requires_action'], 'authenticate')
    intent.next_action = null
    if (agreed) this.#pay(intent)
    else
      this.#fail(intent, {
        type: 'card_error',
        code: 'payment_intent_authentication_failure',
        message: 'We are unable to authenticate your payment method.',
      })
    return intent
  }

  cancel(intent: PaymentIntent, reason: string | null): PaymentIntent {
    this.#refuseUnless(intent, ['requires_payment_method', 'requires_action'], 'cancel')
    Object.assign(intent, {
      status: 'canceled',
      canceled_at: this.#seconds(),
      cancellation_reason: reason,
      next_action: null,
    })
    this.#tell('payment_intent.canceled', intent)
    return intent
  }

  /**
   * Refunds `amount`, or everything left, to the card. The charge's `amount_refunded` is a running
   * total.
   */
  refund(
    intent: PaymentIntent,
    { amount, metadata = {} }: { amount?: number | undefined; metadata?: Metadata } = {},
  ): Refund {
    const charge = this.chargeOf(intent)
    const left = charge.amount - charge.amount_refunded
    const given = amount ?? left
    if (left === 0)
      throw invalid(`Charge ${charge.id} has already been refunded.`, {
        code: 'charge_already_refunded',
      })
    if (given > left)
      throw invalid(
        `Refund amount ($${given / 100}) is greater than unrefunded amount on charge ` +
          `($${left / 100})`,
        { param: 'amount' },
      )
    if (this.#heldByDisputes(charge) > 0)
      throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
        code: 'charge_disputed',
      })
    const refund: Refund = {
      id: newName('re'),
      object: 'refund',
      amount: given,
      balance_transaction: newName('txn'),
      charge: charge.id,
      created: this.#seconds(),
      currency: charge.currency,
      metadata,
      payment_intent: intent.id,
      reason: null,
      receipt_number: null,
      status: 'succeeded',
    }
    this.refunds.set(refund.id, refund)
    charge.amount_refunded += given
    charge.refunded = charge.amount_refunded === charge.amount
    this.#tell('charge.refunded', charge)
    this.#tell('refund.created', refund)
    if (outcomeOf(charge.payment_method)?.refundFails) this.failRefund(refund)
    return refund
  }

  /** A refund is subtracted from the charge at once, and added again if it fails or is canceled. */
  settleRefund(refund: Refund, status: RefundStatus): void {
    if (status === 'failed') return this.failRefund(refund)
    if (status === 'canceled') this.#charge(refund.charge).amount_refunded -= refund.amount
    refund.status = status
    this.#tell('refund.updated', refund)
    this.#tell('charge.refund.updated', refund)
  }

  /** The card's bank rejected the refund: the money comes back. */
  failRefund(refund: Refund): void {
    const charge = this.#charge(refund.charge)
    refund.status = 'failed'
    charge.amount_refunded -= refund.amount
    charge.refunded = false
    this.#tell('refund.failed', refund)
    this.#tell('charge.refund.updated', refund)
  }

  /** The cardholder disputes the payment. An inquiry withdraws nothing yet. */
  dispute(
    intent: PaymentIntent,
    { amount, isInquiry = false }: { amount?: number; isInquiry?: boolean } = {},
  ): Dispute {
    const charge = this.chargeOf(intent)
    const disputed = amount ?? charge.amount - charge.amount_refunded
    const dispute: Dispute = {
      id: newName('dp'),
      object: 'dispute',
      amount: disputed,
      balance_transactions: [],
      charge: charge.id,
      created: this.#seconds(),
      currency: charge.currency,
      evidence: {},
      evidence_details: {
        due_by: this.#seconds() + 1_209_600,
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      is_charge_refundable: isInquiry,
      livemode: this.livemode,
      metadata: {},
      payment_intent: intent.id,
      reason: 'fraudulent',
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
    }
    this.disputes.set(dispute.id, dispute)
    charge.disputed = true
    if (!isInquiry) this.#moveFunds(dispute, -disputed)
    this.#tell('charge.dispute.created', dispute)
    if (!isInquiry) this.#tell('charge.dispute.funds_withdrawn', dispute)
    return dispute
  }

  /** A step of a dispute that moves no money. */
  moveDispute(dispute: Dispute, status: DisputeStatus): void {
    dispute.status = status
    this.#tell('charge.dispute.updated', dispute)
  }

  balance(): object {
    const own = { amount: 0, currency: this.settles, source_types: { card: 0 } }
    return { object: 'balance', available: [own], pending: [own], livemode: this.livemode }
  }

  /** The bank decides. Won: the money comes back. */
  closeDispute(
    dispute: Dispute,
    outcome: Extract<DisputeStatus, 'won' | 'lost' | 'warning_closed'>,
  ): void {
    dispute.status = outcome
    if (outcome === 'won') this.#moveFunds(dispute, dispute.amount)
    this.#tell('charge.dispute.closed', dispute)
    if (outcome === 'won') this.#tell('charge.dispute.funds_reinstated', dispute)
  }

  chargeOf(intent: PaymentIntent): Charge {
    if (intent.latest_charge === null || intent.status !== 'succeeded') {
      throw invalid('This PaymentIntent does not have a successful charge to refund.', {
        code: 'payment_intent_unexpected_state',
        param: 'payment_intent',
      })
    }
    return this.#charge(intent.latest_charge)
  }

  disputesOf(intentId: string): Dispute[] {
    return [...this.disputes.values()].filter(({ payment_intent: of }) => of === intentId)
  }

  /**
   * Cents of a payment received, refunded, and held by disputes now: the reference for our ledger.
   */
  moneyOf(intent: PaymentIntent): { received: number; refunded: number; disputed: number } {
    if (intent.status !== 'succeeded') return { received: 0, refunded: 0, disputed: 0 }
    const charge = this.chargeOf(intent)
    return {
      received: intent.amount_received,
      refunded: charge.amount_refunded,
      disputed: this.#heldByDisputes(charge),
    }
  }

  #heldByDisputes(charge: Charge): number {
    const disputes = [...this.disputes.values()].filter(({ charge: of }) => of === charge.id)
    return disputes
      .flatMap(({ balance_transactions: moves }) => moves)
      .reduce((sum, { amount }) => sum - amount, 0)
  }

  #pay(intent: PaymentIntent): void {
    const charge = this.#addCharge(intent, {
      status: 'succeeded',
      failure_code: null,
      failure_message: null,
    })
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      latest_charge: charge.id,
      last_payment_error: null,
    })
    this.#tell('charge.succeeded', charge)
    this.#tell('payment_intent.succeeded', intent)
  }

  #fail(intent: PaymentIntent, error: NonNullable<PaymentIntent['last_payment_error']>): void {
    const charge = this.#addCharge(intent, {
      status: 'failed',
      failure_code: error.code,
      failure_message: error.message,
    })
    Object.assign(intent, {
      status: 'requires_payment_method',
      latest_charge: charge.id,
      last_payment_error: error,
      payment_method: null,
    })
    this.#tell('charge.failed', charge)
    this.#tell('payment_intent.payment_failed', intent)
  }

  #addCharge(
    intent: PaymentIntent,
    outcome: Pick<Charge, 'status' | 'failure_code' | 'failure_message'>,
  ): Charge {
    const paid = outcome.status === 'succeeded'
    const charge: Charge = {
      id: newName('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_captured: paid ? intent.amount : 0,
      amount_refunded: 0,
      balance_transaction: paid ? newName('txn') : null,
      captured: paid,
      created: this.#seconds(),
      currency: intent.currency,
      customer: null,
      description: intent.description,
      disputed: false,
      livemode: this.livemode,
      metadata: intent.metadata,
      paid,
      payment_intent: intent.id,
      payment_method: intent.payment_method ?? '',
      refunded: false,
      ...outcome,
    }
    this.charges.set(charge.id, charge)
    return charge
  }

  #moveFunds(dispute: Dispute, amount: number): void {
    const created = this.#seconds()
    const category = amount < 0 ? 'dispute' : 'dispute_reversal'
    const rate = this.settles === dispute.currency ? null : 0.5
    const settled = Math.round(amount * (rate ?? 1))
    const move = {
      amount: settled,
      available_on: created,
      created,
      currency: this.settles,
      description: null,
      exchange_rate: rate,
      fee: 0,
      net: settled,
    }
    dispute.balance_transactions = [
      ...dispute.balance_transactions,
      {
        ...move,
        id: newName('txn'),
        object: 'balance_transaction',
        fee_details: [],
        reporting_category: category,
        source: dispute.id,
        status: 'available',
        type: 'adjustment',
      },
    ]
  }

  #charge(id: string): Charge {
    const charge = this.charges.get(id)
    if (charge === undefined) throw new Error(`the emulator lost charge ${id}`)
    return charge
  }

  #refuseUnless(
    intent: PaymentIntent,
    states: readonly PaymentIntent['status'][],
    action: string,
  ): void {
    if (states.includes(intent.status)) return
    throw invalid(
      `You cannot ${action} this PaymentIntent because it has a status of ${intent.status}.`,
      { code: 'payment_intent_unexpected_state', payment_intent: intent },
    )
  }

  #tell(type: string, subject: StripeEvent['data']['object']): void {
    const event: StripeEvent = {
      id: newName('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.#seconds(),
      data: { object: structuredClone(subject) },
      livemode: this.livemode,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    }
    this.events.push(event)
  }

  #seconds(): number {
    return Math.floor(this.#now().getTime() / 1_000)
  }
}

function newName(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}
