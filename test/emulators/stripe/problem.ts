import type { CardError, PaymentIntent } from './objects.ts'

type Details = {
  code?: string
  param?: string
  decline_code?: string
  payment_intent?: PaymentIntent
}

/** An error response in Stripe's format. */
export class StripeProblem extends Error {
  readonly status: number
  readonly body: { error: { type: string; message: string } & Details }

  constructor(
    status: number,
    { type, message, ...details }: { type: string; message: string } & Details,
  ) {
    super(message)
    this.status = status
    this.body = { error: { type, message, ...details } }
  }
}

export const invalid = (message: string, details: Details = {}): StripeProblem =>
  new StripeProblem(400, { type: 'invalid_request_error', message, ...details })

const similarIn = (mode: string): string =>
  `; a similar object exists in ${mode} mode, but ${mode === 'live' ? 'a test' : 'a live'} mode ` +
  'key was used to make this request.'

export const missing = (kind: string, id: string, elsewhere: string | undefined): StripeProblem =>
  new StripeProblem(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: kind === 'payment_intent' ? 'intent' : 'id',
    message: `No such ${kind}: '${id}'${elsewhere === undefined ? '' : similarIn(elsewhere)}`,
  })

export const declined = (error: CardError, intent: PaymentIntent): StripeProblem =>
  new StripeProblem(402, { ...error, payment_intent: intent })
