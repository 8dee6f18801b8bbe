/** A message for one browser. */
export type PushMessage = {
  endpoint: string
  p256dh: string
  auth: string
  /** Of several messages with one topic the push service and the browser show the last alone: one that is sent twice is shown once. */
  topic: string
  payload: string
}

/** 'gone': the browser has ended the subscription. Any other failure throws, and is tried again. */
export type PushOutcome = 'sent' | 'gone'

/** Port: web push. */
export type Push = {
  /** With which browsers subscribe. */
  publicKey: string
  /** Whether messages may be sent to this address. Threat: a made-up subscription would have us call any address inside our network. */
  accepts: (endpoint: string) => boolean
  send?: (message: PushMessage) => Promise<PushOutcome>
}
