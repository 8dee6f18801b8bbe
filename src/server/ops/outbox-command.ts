import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/security/audit.ts'
import { readUserId } from '#server/auth/get-user.ts'
import type { Context } from '#server/context.ts'
import { readMailbox, type MailboxMessage, countOutbox } from '#server/notices/mailbox.ts'
import { permit } from '#server/operators/operator.ts'
import { done, type Command } from './command.ts'

const NEWEST = 20

/**
 * Lists the newest messages with their links if there is no mail server; otherwise only the number
 * of waiting ones. Threat: in a live book, a link for a new password opens an account, so operators
 * must not see it.
 */
export const mailCommand: Command = async (context, [name]) => {
  await permit(context, 'read the mailbox')
  const counts = (await countOutbox(context.sql)).map(
    ({ channel, state, count }) => `${channel.padEnd(5)} ${state.padEnd(9)} ${count}`,
  )
  const userId = name === undefined ? undefined : await idOf(context, name)
  await auditCommand(context, { action: 'mail.show', subject: userId ?? 'everybody' })
  if (context.mail.provider !== 'mailbox')
    return { lines: counts.length > 0 ? counts : ['The outbox is empty.'], ok: true }
  const messages = await readMailbox(context, {
    ...(userId !== undefined && { userId }),
    withResets: true,
    limit: NEWEST,
  })
  if (messages.length === 0)
    return done(
      'No messages. This paper book keeps them here instead of sending them: set SMTP_URL ' +
        'and MAIL_FROM to send them.',
    )
  return { lines: messages.toReversed().flatMap(linesOf), ok: true }
}

async function idOf({ sql }: Context, name: string): Promise<string> {
  const userId = await readUserId(sql, name)
  if (userId === undefined)
    throw new Refusal('not-found', { sentence: `There is no user ${name}.` })
  return userId
}

function linesOf({ username, to, subject, text, sentAt }: MailboxMessage): string[] {
  return [
    `${sentAt.toISOString()}  @${username}  to ${to}`,
    subject,
    '',
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : `  ${line}`)),
    '',
  ]
}
