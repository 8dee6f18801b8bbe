import type { NoticeDetails } from '#core/notices/notice.ts'
import type { Queries } from '#server/db/statement.ts'
import type { MailKind } from './link.ts'

type NewMail = { userId: string; kind: MailKind; address: string; details?: NoticeDetails }

/** Writes a message that has no place in the inbox, in the transaction of what it is about. */
export async function writeMail(
  tx: Queries,
  { userId, kind, address, details = {} }: NewMail,
): Promise<void> {
  await tx`
    insert into deliveries (user_id, channel, kind, details, is_urgent, address)
    values (${userId}, 'mail', ${kind}, ${JSON.stringify(details)}::text::jsonb, true, ${address})`
}
