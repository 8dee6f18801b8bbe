import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#server/context.ts'
import type { SessionControl } from '#server/http/handler.ts'
import { createSession, deleteSession, findSessionUser } from './store.ts'

const COOKIE = 'sid'

/** The signed-in user of a request, if its cookie names a living session. */
export async function sessionUser({ sql }: Context, request: FastifyRequest): Promise<string | undefined> {
  const sid = request.cookies[COOKIE]
  return sid === undefined || sid.length > 100 ? undefined : findSessionUser(sql, sid)
}

/** Signing in always makes a new id, so that an id planted before (session fixation) is worth nothing. */
export function sessionControl({ sql }: Context, { request, reply }: { request: FastifyRequest; reply: FastifyReply }): SessionControl {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' } as const
  const forget = async () => {
    const sid = request.cookies[COOKIE]
    if (sid !== undefined) await deleteSession(sql, sid)
  }
  return {
    start: async (userId) => {
      await forget()
      const sid = await createSession(sql, { userId, userAgent: request.headers['user-agent'] ?? '' })
      void reply.setCookie(COOKIE, sid, { ...attributes, maxAge: 30 * 86_400 })
    },
    end: async () => {
      await forget()
      void reply.clearCookie(COOKIE, attributes)
    },
  }
}
