import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { readMailbox } from './mailbox.ts'

const NEWEST = 50

/** The user's own messages if no mail is sent, without links to a new password. */
export const getMailbox: Handler<'getMailbox'> = async (context, { userId }) => {
  if (context.mail.provider !== 'mailbox') throw new Refusal('not-found')
  const messages = await readMailbox(context, { userId, withResets: false, limit: NEWEST })
  return {
    messages: messages.map(({ id, to, subject, text, language, sentAt }) => ({
      id,
      to,
      subject,
      text,
      language,
      sentAt: sentAt.toISOString(),
    })),
  }
}
