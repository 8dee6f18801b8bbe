import { z } from 'zod'
import { NOTICE_KINDS, type NoticeKind } from '#core/notices/notice.ts'
import { Id, Timestamp } from './wire.ts'

const KINDS = Object.keys(NOTICE_KINDS) as [NoticeKind, ...NoticeKind[]]

/**
 * An event as a kind and its details: `src/words/notice-text.ts` says it in the reader's language.
 */
export const Notice = z.strictObject({
  id: Id,
  kind: z.enum(KINDS),
  details: z.record(z.string(), z.string()),
  createdAt: Timestamp,
  isRead: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

export const NoticePage = z.strictObject({
  items: z.array(Notice),
  nextCursor: z.string().nullable(),
})
export type NoticePage = z.infer<typeof NoticePage>

/** One notice, or without an id all of them. */
export const ReadNoticesRequest = z.strictObject({ id: Id.optional() })

export const NoticesRead = z.strictObject({ read: z.int().nonnegative() })
