/**
 * Stripe's objects, as far as the product reads or could read them: field names and types as in the
 * public fixtures of stripe/openapi (docs/emulators.md says what was compared). Amounts are whole
 * cents.
 */

export type Metadata = Record<string, string>

export type IntentStatus =
  | 'canceled'
  | 'processing'
  | 'requires_action'
  | 'requires_capture'
  | 'requires_confirmation'
  | 'requires_payment_method'
  | 'succeeded'

export type PaymentIntent = {
  id: string
  object: 'payment_intent'
  amount: number
  allowed_payment_method_types: string[] | null
  amount_capturable: number
  amount_received: number
  automatic_payment_methods: { enabled: boolean } | null
  canceled_at: number | null
  cancellation_reason: string | null
  capture_method: 'automatic'
  client_secret: string
  confirmation_method: 'automatic'
  created: number
  currency: string
  customer: null
  description: string | null
  last_payment_error: CardError | null
  latest_charge: string | null
  livemode: boolean
  metadata: Metadata
  next_action: {
    type: 'redirect_to_url'
    redirect_to_url: { url: string; return_url: string | null }
  } | null
  payment_method: string | null
  payment_method_types: string[]
  receipt_email: null
  status: IntentStatus
}

export type CardError = { type: 'card_error'; code: string; decline_code?: string; message: string }

export type Charge = {
  id: string
  object: 'charge'
  amount: number
  amount_captured: number
  amount_refunded: number
  balance_transaction: string | null
  captured: boolean
  created: number
  currency: string
  customer: null
  description: string | null
  disputed: boolean
  failure_code: string | null
  failure_message: string | null
  livemode: boolean
  metadata: Metadata
  paid: boolean
  payment_intent: string
  payment_method: string
  refunded: boolean
  status: 'succeeded' | 'failed'
}

export type RefundStatus = 'canceled' | 'failed' | 'pending' | 'requires_action' | 'succeeded'

export type Refund = {
  id: string
  object: 'refund'
  amount: number
  balance_transaction: string | null
  charge: string
  created: number
  currency: string
  metadata: Metadata
  payment_intent: string
  reason: string | null
  receipt_number: null
  status: RefundStatus
}

export type BalanceTransaction = {
  id: string
  object: 'balance_transaction'
  amount: number
  available_on: number
  created: number
  currency: string
  description: string | null
  exchange_rate: number | null
  fee: number
  fee_details: []
  net: number
  reporting_category: 'dispute' | 'dispute_reversal'
  source: string
  status: 'available'
  type: 'adjustment'
}

export type DisputeStatus =
  | 'appeal_needs_response'
  | 'appeal_under_review'
  | 'lost'
  | 'needs_response'
  | 'prevented'
  | 'under_review'
  | 'warning_closed'
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'won'

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  balance_transactions: BalanceTransaction[]
  charge: string
  created: number
  currency: string
  evidence: Record<string, null>
  evidence_details: {
    due_by: number
    has_evidence: boolean
    past_due: boolean
    submission_count: number
  }
  is_charge_refundable: boolean
  livemode: boolean
  metadata: Metadata
  payment_intent: string
  reason: string
  status: DisputeStatus
}

type Subject = PaymentIntent | Charge | Refund | Dispute

export type StripeEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: Subject }
  livemode: boolean
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

export type Listed<Row> = { object: 'list'; data: Row[]; has_more: boolean; url: string }
