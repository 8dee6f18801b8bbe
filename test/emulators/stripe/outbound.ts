import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import { StripeProblem } from './problem.ts'

type Json = Record<string, unknown>
type Declared = Stripe.V2.MoneyManagement.OutboundPayment
export type OutboundStatus = Declared['status']

export type OutboundPayment = {
  id: string
  object: 'v2.money_management.outbound_payment'
  amount: { value: number; currency: string }
  cancelable: boolean
  created: string
  description: string
  from: { debited: { value: number; currency: string }; financial_account: string }
  livemode: boolean
  metadata: Record<string, string>
  recipient_notification: { setting: 'none' }
  statement_descriptor: string
  status: OutboundStatus
  status_details?: NonNullable<Declared['status_details']>
  to: { credited: { value: number; currency: string }; payout_method: string; recipient: string }
}

/** Numbers of banks that Stripe's test mode refuses: 110000000 is its test bank. */
const REFUSED_ACCOUNT = '000111111113'

/**
 * The version 2 part of a mode: recipients, their bank accounts, and payments out of one financial
 * account.
 */
export class OutboundBook {
  readonly payments: OutboundPayment[] = []
  readonly methods = new Map<string, { recipient: string; last4: string; routing: string }>()
  /** Status of the next bank accounts. */
  setupStatus: Stripe.V2.MoneyManagement.OutboundSetupIntent['status'] = 'succeeded'
  /** Cents that may be paid out. */
  available = 1_000_000_00
  readonly #livemode: boolean
  readonly #now: () => Date

  constructor({ livemode, now }: { livemode: boolean; now: () => Date }) {
    this.#livemode = livemode
    this.#now = now
  }

  createAccount({ display_name: name, configuration, metadata = {} }: Json): Json {
    if (typeof name !== 'string' || configuration === undefined)
      throw invalidFields('display_name and configuration are required')
    return {
      id: newName('acct'),
      object: 'v2.core.account',
      display_name: name,
      metadata,
      livemode: this.#livemode,
      created: this.#now().toISOString(),
      applied_configurations: ['recipient'],
    }
  }

  createSetup({ payout_method_data: data }: Json, recipient: string | undefined): Json {
    if (recipient === undefined)
      throw invalidFields('a payout method belongs to a recipient: Stripe-Context is missing')
    const { bank_account: account } = (data ?? {}) as {
      bank_account?: {
        account_number?: string
        routing_number?: string
        country?: string
        currency?: string
      }
    }
    if (
      !/^\d{4,17}$/.test(account?.account_number ?? '') ||
      !/^\d{9}$/.test(account?.routing_number ?? '') ||
      account?.country !== 'us' ||
      account.currency !== 'usd'
    ) {
      throw invalidFields('the bank account is not whole')
    }
    if (account.account_number === REFUSED_ACCOUNT)
      throw new StripeProblem(400, {
        type: 'invalid_payout_method',
        code: 'invalid_payout_method',
        message: 'The bank account does not exist.',
      })
    const id = newName('usba')
    const last4 = account.account_number?.slice(-4) ?? ''
    this.methods.set(id, { recipient, last4, routing: account.routing_number ?? '' })
    const method = {
      id,
      object: 'v2.money_management.payout_method',
      archived: false,
      type: 'bank_account',
      bank_account: { last4, country: 'us' },
      created: this.#now().toISOString(),
      livemode: this.#livemode,
    }
    return {
      id: newName('osi'),
      object: 'v2.money_management.outbound_setup_intent',
      created: this.#now().toISOString(),
      livemode: this.#livemode,
      payout_method: method,
      status: this.setupStatus,
      usage_intent: 'payment',
    }
  }

  createPayment({ amount, from, to, description, metadata = {} }: Json): OutboundPayment {
    const { value, currency } = amount as { value: number; currency: string }
    const { financial_account: account } = from as { financial_account: string }
    const { recipient, payout_method: method } = to as { recipient: string; payout_method: string }
    if (!Number.isInteger(value) || value < 1 || currency !== 'usd')
      throw invalidFields('amount is a whole number of cents')
    if (this.methods.get(method)?.recipient !== recipient)
      throw invalidFields('this payout method belongs to nobody of that name')
    if (value > this.available)
      throw new StripeProblem(400, {
        type: 'insufficient_funds',
        code: 'insufficient_funds',
        message: 'The financial account does not hold enough.',
      })
    this.available -= value
    const payment: OutboundPayment = {
      id: newName('obp'),
      object: 'v2.money_management.outbound_payment',
      amount: { value, currency },
      cancelable: true,
      created: this.#now().toISOString(),
      description: String(description),
      from: { debited: { value, currency }, financial_account: account },
      livemode: this.#livemode,
      metadata: metadata as Record<string, string>,
      recipient_notification: { setting: 'none' },
      statement_descriptor: 'STRIPE',
      status: 'processing',
      to: { credited: { value, currency }, payout_method: method, recipient },
    }
    this.payments.push(payment)
    return payment
  }

  /** Sets the outcome of a payment; a failed or returned amount is back in the account. */
  settle(
    payment: OutboundPayment,
    status: Exclude<OutboundStatus, 'processing'>,
    reason = 'unknown_failure',
  ): void {
    payment.status = status
    payment.cancelable = false
    if (status === 'failed' || status === 'returned')
      payment.status_details = { [status]: { reason } }
    if (status !== 'posted') this.available += payment.amount.value
  }

  find(id: string): OutboundPayment {
    const payment = this.payments.find((one) => one.id === id)
    if (payment === undefined)
      throw new StripeProblem(404, {
        type: 'invalid_request_error',
        code: 'not_found',
        message: `No such payment: ${id}`,
      })
    return payment
  }
}

const invalidFields = (message: string): StripeProblem =>
  new StripeProblem(400, { type: 'invalid_request_error', code: 'invalid_fields', message })

const newName = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
