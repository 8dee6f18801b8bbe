/** A message for one browser. */
export type PushMessage = {
  endpoint: string
  p256dh: string
  auth: string
  /**
   * Of several messages with one topic the push service and the browser show the last alone: one
   * that is sent twice is shown once.
   */
  topic: string
  payload: string
}

/** 'gone': the browser has ended the subscription. Any other failure throws, and is tried again. */
export type PushOutcome = 'sent' | 'gone'

/** Port: web push. */
export type Push = {
  /** With which browsers subscribe. */
  publicKey: string
  /**
   * The address to which messages for this browser are sent; undefined if it is none of a push
   * service. Threat: a made-up subscription would have us call any address inside our network.
   */
  addressOf: (endpoint: string) => string | undefined
  send?: (message: PushMessage) => Promise<PushOutcome>
}
