import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import type { SessionControl } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { readSid, sidText, type Sid } from './sid.ts'
import { createSession, deleteSession, findSession, findSignedInUser, touchSession } from './store.ts'

const COOKIE = 'sid'

const sidOf = (request: FastifyRequest): Sid | undefined => readSid(request.cookies[COOKIE])

/** The signed-in user of a request, if its cookie belongs to an active session. */
export async function sessionUser({ sql }: Context, request: FastifyRequest): Promise<string | undefined> {
  const sid = sidOf(request)
  if (sid === undefined) return undefined
  const session = await findSession(sql, sid)
  if (session?.isSeenLongAgo) await touchSession(sql, sid)
  return session?.userId
}

/** Threat: session fixation. Signing in always creates a new id, so that an id planted before is worthless. */
export function sessionControl({ sql, newId }: Context, { request, reply }: { request: FastifyRequest; reply: FastifyReply }): SessionControl {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' } as const
  const forget = async () => {
    const sid = sidOf(request)
    if (sid !== undefined) await deleteSession(sql, sid)
  }
  return {
    start: async ({ userId, provenBy }) => {
      await forget()
      const sid = await createSession(sql, { id: newId(), userId, provenBy, userAgent: request.headers['user-agent'] ?? '' })
      if (sid === undefined) throw new Refusal('wrong-credentials')
      void reply.setCookie(COOKIE, sidText(sid), { ...attributes, maxAge: 30 * 86_400 })
    },
    id: async () => {
      const sid = sidOf(request)
      return sid === undefined ? undefined : (await findSession(sql, sid))?.id
    },
    user: async () => {
      const sid = sidOf(request)
      const found = sid === undefined ? undefined : await findSignedInUser(sql, sid)
      if (sid !== undefined && found?.isSeenLongAgo) await touchSession(sql, sid)
      return found?.user
    },
    end: async () => {
      await forget()
      void reply.clearCookie(COOKIE, attributes)
    },
  }
}
