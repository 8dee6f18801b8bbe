import { deviceOf } from '#words/device.ts'
import type { Handler } from '#server/action.ts'
import { findSessions } from './store.ts'

/** Lists this session first. IP addresses are not stored, so none is shown. */
export const listSessions: Handler<'listSessions'> = async (
  { sql, config },
  { userId, session, client },
) => {
  const [stored, current] = await Promise.all([findSessions(sql, userId, config), session.id()])
  const shown = stored.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
    id,
    device: deviceOf(id === current ? `${userAgent}\n${client.userAgent}` : userAgent),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: id === current,
  }))
  return shown.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
}
