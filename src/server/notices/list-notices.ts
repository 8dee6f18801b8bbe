import type { Notice } from '#contract/notices.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { isId } from '#server/kernel/ids.ts'
import { detailsInWords } from './compose.ts'
import { findNotices, type StoredNotice } from './store.ts'

const PAGE = 50

/**
 * Lists notices, newest first, as kinds and details. The screen words them in its language, and
 * hides amounts if the user does.
 */
export const listNotices: Handler<'listNotices'> = async (
  { sql },
  { userId, query: { cursor } },
) => {
  if (cursor !== undefined && !isId(cursor))
    throw new Refusal('cursor-invalid', { field: 'cursor' })
  const found = await findNotices(sql, { userId, before: cursor, limit: PAGE + 1 })
  const items = found.slice(0, PAGE)
  return {
    items: items.map(showNotice),
    nextCursor: found.length > PAGE ? (items.at(-1)?.id ?? null) : null,
  }
}

function showNotice({ id, kind, details, createdAt, readAt }: StoredNotice): Notice {
  const said = detailsInWords(details)
  return { id, kind, details: said, createdAt: createdAt.toISOString(), isRead: readAt !== null }
}
