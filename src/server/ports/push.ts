import type { PushMeaning } from '#core/notices/push-answer.ts'

/** A message for one browser. */
export type PushMessage = {
  endpoint: string
  p256dh: string
  auth: string
  /**
   * The browser shows only the last message of a topic, so that a message sent twice is shown once.
   */
  topic: string
  payload: string
}

/** 'too-large': no later attempt would be accepted. */
export type PushOutcome = Extract<PushMeaning, 'sent' | 'gone' | 'too-large'>

/** The push service did not accept the message. It is retried. */
export class PushRefused extends Error {
  readonly meaning: PushMeaning
  /** The status and the service. */
  readonly answer: string
  /** The wait that the service requests. */
  readonly retryAfterMs: number | undefined

  constructor({ meaning, answer, retryAfterMs }: Omit<PushRefused, keyof Error>) {
    super(`${meaning}: ${answer}`)
    this.meaning = meaning
    this.answer = answer
    this.retryAfterMs = retryAfterMs
  }
}

/** Port: web push. */
export type Push = {
  /** Key with which browsers subscribe. Null if no push is offered. */
  publicKey: string | null
  /**
   * The address to which messages for this browser are sent; undefined if it is not a push
   * service's. Threat: an invented subscription makes us call any address inside our network.
   */
  addressOf: (endpoint: string) => string | undefined
  /** Throws `PushRefused` or a network error if the message must be retried. */
  send?: (message: PushMessage) => Promise<PushOutcome>
}
