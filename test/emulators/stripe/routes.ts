import type { StripeBook } from './book.ts'
import { methodOfNumber } from './cards.ts'
import type { Listed, PaymentIntent } from './objects.ts'
import {
  centsOf,
  currencyOf,
  limitOf,
  metadataOf,
  nested,
  refuseUnknown,
  textOf,
  type Parameters,
} from './parameters.ts'
import { invalid, missing } from './problem.ts'

export type Asked = {
  book: StripeBook
  /** The other mode's records: objects found only there are refused with a specific message. */
  other: StripeBook
  parameters: Parameters
  /** The path's id. */
  id: string
  /** The emulator's own address, which serves the bank's confirmation page. */
  origin: string
  /** The JSON body of a version 2 request, and the account in its context. */
  json: Record<string, unknown>
  account: string | undefined
  /** True for a publishable key, which needs the client secret. */
  isPublishable: boolean
}

type Route = {
  method: 'GET' | 'POST'
  path: RegExp
  isPublic?: true
  answer: (asked: Asked) => unknown
}

export const ROUTES: readonly Route[] = [
  { method: 'POST', path: /^\/v1\/payment_intents$/, answer: createIntent },
  { method: 'GET', path: /^\/v1\/payment_intents$/, answer: listIntents },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/([^/]+)$/,
    isPublic: true,
    answer: retrieveIntent,
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/([^/]+)\/confirm$/,
    isPublic: true,
    answer: confirmIntent,
  },
  { method: 'POST', path: /^\/v1\/payment_intents\/([^/]+)\/cancel$/, answer: cancelIntent },
  {
    method: 'GET',
    path: /^\/v1\/charges\/([^/]+)$/,
    answer: ({ book, id }) => found(book.charges, { kind: 'charge', id }),
  },
  { method: 'GET', path: /^\/v1\/balance$/, answer: ({ book }) => book.balance() },
  { method: 'POST', path: /^\/v1\/refunds$/, answer: createRefund },
  { method: 'GET', path: /^\/v1\/disputes$/, answer: listDisputes },
  { method: 'GET', path: /^\/v1\/events$/, answer: listEvents },
  {
    method: 'POST',
    path: /^\/v2\/core\/accounts$/,
    answer: ({ book, json }) => book.outbound.createAccount(json),
  },
  {
    method: 'POST',
    path: /^\/v2\/money_management\/outbound_setup_intents$/,
    answer: ({ book, json, account }) => book.outbound.createSetup(json, account),
  },
  {
    method: 'POST',
    path: /^\/v2\/money_management\/outbound_payments$/,
    answer: ({ book, json }) => book.outbound.createPayment(json),
  },
  {
    method: 'GET',
    path: /^\/v2\/money_management\/outbound_payments\/([^/]+)$/,
    answer: ({ book, id }) => book.outbound.find(id),
  },
  {
    method: 'GET',
    path: /^\/v2\/money_management\/outbound_payments$/,
    answer: ({ book }) => ({
      data: book.outbound.payments.toReversed(),
      next_page_url: null,
      previous_page_url: null,
    }),
  },
]

function createIntent({ book, parameters }: Asked): PaymentIntent {
  refuseUnknown(parameters, [
    'amount',
    'currency',
    'metadata',
    'description',
    'automatic_payment_methods',
    'allowed_payment_method_types',
    'statement_descriptor_suffix',
  ])
  const metadata = metadataOf(parameters)
  const allowed = parameters['allowed_payment_method_types']
  return book.createIntent({
    amount: centsOf(parameters),
    currency: currencyOf(parameters),
    metadata,
    description: textOf(parameters['description']) ?? null,
    allowed: Array.isArray(allowed) ? allowed : null,
  })
}

function listIntents({ book, parameters }: Asked): Listed<PaymentIntent> {
  refuseUnknown(parameters, [
    'limit',
    'starting_after',
    'ending_before',
    'created',
    'customer',
    'expand',
  ])
  return page([...book.intents.values()].toReversed(), { parameters, url: '/v1/payment_intents' })
}

function retrieveIntent(asked: Asked): object {
  const intent = intentOf(asked)
  refuseUnknown(asked.parameters, ['expand', 'client_secret'])
  const expand = asked.parameters['expand']
  const charge =
    intent.latest_charge === null ? undefined : asked.book.charges.get(intent.latest_charge)
  return Array.isArray(expand) && expand.includes('latest_charge')
    ? { ...intent, latest_charge: charge ?? null }
    : intent
}

function confirmIntent(asked: Asked): PaymentIntent {
  const { book, parameters, origin } = asked
  const intent = intentOf(asked)
  refuseUnknown(parameters, [
    'payment_method',
    'payment_method_data',
    'client_secret',
    'return_url',
    'use_stripe_sdk',
    'mandate_data',
  ])
  const returnUrl = textOf(parameters['return_url']) ?? null
  const number = textOf(
    parameters['payment_method_data'] && readNumber(parameters['payment_method_data']),
  )
  const paymentMethod =
    textOf(parameters['payment_method']) ??
    (number === undefined ? undefined : methodOfNumber(number))
  if (paymentMethod === undefined)
    throw invalid('You must provide a payment method.', {
      code: 'parameter_missing',
      param: 'payment_method',
    })
  return book.confirm(intent, { paymentMethod, returnUrl, ask: `${origin}/ask/${intent.id}` })
}

function readNumber(data: Parameters[string]): string {
  return typeof data === 'object' && !Array.isArray(data) ? (textOf(data['number']) ?? '') : ''
}

function cancelIntent(asked: Asked): PaymentIntent {
  refuseUnknown(asked.parameters, ['cancellation_reason'])
  return asked.book.cancel(intentOf(asked), textOf(asked.parameters['cancellation_reason']) ?? null)
}

function createRefund({ book, other, parameters, ...rest }: Asked): object {
  refuseUnknown(parameters, ['payment_intent', 'amount', 'metadata', 'reason'])
  const intent = intentOf({
    ...rest,
    book,
    other,
    parameters: {},
    id: textOf(parameters['payment_intent']) ?? '',
    isPublishable: false,
  })
  const amount = parameters['amount'] === undefined ? undefined : Number(parameters['amount'])
  return book.refund(intent, { amount, metadata: metadataOf(parameters) })
}

function listDisputes({ book, parameters }: Asked): object {
  refuseUnknown(parameters, [
    'payment_intent',
    'charge',
    'limit',
    'starting_after',
    'ending_before',
    'created',
    'expand',
  ])
  const of = textOf(parameters['payment_intent'])
  return page(
    [...book.disputes.values()]
      .filter(({ payment_intent: intent }) => of === undefined || of === intent)
      .toReversed(),
    { parameters, url: '/v1/disputes' },
  )
}

function listEvents({ book, parameters }: Asked): object {
  refuseUnknown(parameters, [
    'limit',
    'starting_after',
    'ending_before',
    'created',
    'type',
    'types',
  ])
  const types = parameters['types']
  const from = Number(textOf(nested(parameters['created'])['gte']) ?? 0)
  const wanted = book.events.filter(
    ({ type, created }) => created >= from && (!Array.isArray(types) || types.includes(type)),
  )
  return page(wanted.toReversed(), { parameters, url: '/v1/events' })
}

/** The intent of the path; a publishable key sees it only with its secret. */
function intentOf({ book, other, id, parameters, isPublishable }: Asked): PaymentIntent {
  const intent = book.intents.get(id)
  const elsewhere = other.intents.has(id) ? (other.livemode ? 'live' : 'test') : undefined
  if (intent === undefined) throw missing('payment_intent', id, elsewhere)
  if (isPublishable && textOf(parameters['client_secret']) !== intent.client_secret) {
    throw invalid(
      'The client_secret provided does not match the client_secret associated with the ' +
        'PaymentIntent.',
      { code: 'payment_intent_invalid_parameter', param: 'client_secret' },
    )
  }
  return intent
}

function found<Row>(
  rows: ReadonlyMap<string, Row>,
  { kind, id }: { kind: string; id: string },
): Row {
  const row = rows.get(id)
  if (row === undefined) throw missing(kind, id, undefined)
  return row
}

/** Newest first, after `starting_after`. */
function page<Row extends { id: string }>(
  rows: Row[],
  { parameters, url }: { parameters: Parameters; url: string },
): Listed<Row> {
  const after = textOf(parameters['starting_after'])
  const begin = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1
  const limit = limitOf(parameters)
  return {
    object: 'list',
    data: rows.slice(begin, begin + limit),
    has_more: rows.length > begin + limit,
    url,
  }
}
