import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import type { SessionControl } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { addMark, knownDevice } from './known-device.ts'
import { readSid, sidText, type Sid } from './sid.ts'
import { createSession, deleteSession, findSession, findSignedInUser, touchSession } from './store.ts'

const COOKIE = 'sid'
const DEVICE_COOKIE = 'device'
const DAY_SECONDS = 86_400

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
export function sessionControl({ sql, config, newId }: Context, { request, reply }: { request: FastifyRequest; reply: FastifyReply }): SessionControl {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: request.protocol === 'https' } as const
  const forget = async () => {
    const sid = sidOf(request)
    if (sid !== undefined) await deleteSession(sql, sid)
  }
  const secret = config.SESSION_SECRET
  return {
    start: async (proof) => {
      const { userId, provenBy } = proof
      await forget()
      const sid = await createSession(sql, { id: newId(), userId, provenBy, userAgent: browserOf(request.headers) })
      if (sid === undefined) throw new Refusal('wrong-credentials')
      void reply.setCookie(COOKIE, sidText(sid), { ...attributes, maxAge: 30 * DAY_SECONDS })
      void reply.setCookie(DEVICE_COOKIE, addMark(request.cookies[DEVICE_COOKIE], { secret, proof }), { ...attributes, maxAge: 365 * DAY_SECONDS })
    },
    knownDevice: (proof) => knownDevice(request.cookies[DEVICE_COOKIE], { secret, proof }),
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

/** How a browser describes itself: the user agent, and the hints of browsers that no longer name themselves in it. */
function browserOf({ 'user-agent': agent = '', 'sec-ch-ua': brands = '', 'sec-ch-ua-platform': platform = '' }: IncomingHttpHeaders): string {
  return [agent, brands, platform].map((text) => String(text).slice(0, 300)).join('\n').trim()
}
