import type { Language } from '#words/language.ts'

/** A message in plain text: it loads nothing, and no name in it can be markup. */
export type MailMessage = {
  /**
   * The delivery's id. The Message-ID is made of it, so that mail programs recognize a message that
   * is sent twice.
   */
  id: string
  to: string
  subject: string
  text: string
  /** The language of subject and text. */
  language: Language
  /** Ends the mail of this topic with one press; absent where mail is not optional. */
  unsubscribe?: string | undefined
}

/**
 * 'no-such-address': the recipient's server reports that the address does not exist. Any other
 * failure throws, and is tried again.
 */
export type MailOutcome = 'sent' | 'no-such-address'

/** Port: sends mail. */
export type Mail = {
  /**
   * 'mailbox': a paper book without a mail server keeps its messages, which `ops mail` and a page
   * show. 'none': a live book without one.
   */
  provider: 'smtp' | 'mailbox' | 'none'
  /** Absent if no mail can be sent: messages wait. */
  send?: (message: MailMessage) => Promise<MailOutcome>
  /** Tests the connection to the mail server; throws if it is refused. */
  verify?: () => Promise<void>
  close?: () => void
}
