/** The body is sent as it was signed. */
export type WebhookMessage = {
  address: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** `status`: null without an answer. */
export type WebhookAnswer = { status: number | null; retryAfterMs?: number | undefined }

/** Port: requests to users' own programs. */
export type Webhook = {
  /**
   * The address that would be called; undefined if it is not on the public internet. Threat: a user
   * has us call an address inside our network.
   */
  addressOf: (typed: string) => string | undefined
  send?: (message: WebhookMessage) => Promise<WebhookAnswer>
}
