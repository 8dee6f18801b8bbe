import type { NoticeDetails, NoticeKind } from '#core/notices/notice.ts'
import type { Queries } from '#server/db/statement.ts'

export type StoredNotice = {
  id: string
  kind: NoticeKind
  details: NoticeDetails
  createdAt: Date
  readAt: Date | null
}

/** The user's inbox before the notice `before`, newest first. */
export async function findNotices(
  sql: Queries,
  { userId, before, limit }: { userId: string; before: string | undefined; limit: number },
): Promise<StoredNotice[]> {
  return sql<StoredNotice[]>`
    select id, kind, details, created_at, read_at from notices
     where user_id = ${userId} and in_inbox and (${before ?? null}::uuid is null
           or id < ${before ?? null}::uuid)
     order by id desc limit ${limit}`
}

/** Marks one notice as read, or all up to now; returns how many were unread. */
export async function markRead(
  tx: Queries,
  { userId, id }: { userId: string; id: string | undefined },
): Promise<number> {
  const { count } = await tx`
    update notices set read_at = now()
     where user_id = ${userId} and read_at is null and in_inbox
       and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)`
  return count
}
