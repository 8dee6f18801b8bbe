import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import type { SessionControl } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { coalesce } from '#server/kernel/promises.ts'
import type { Config } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import { publish } from '#server/events/bus.ts'
import { cookieName, isBehindTls } from '#server/settings/own-address.ts'
import { addMark, knownDevice } from './known-device.ts'
import { SIGN_IN_ACTIONS } from './list-sign-ins.ts'
import {
  createSession,
  deleteSession,
  findActive,
  findSession,
  findSignedInUser,
  touchSession,
  readSid,
  sidText,
  type Sid,
  deleteEndedSessions,
  deleteOldThrottles,
} from './store.ts'
import { CHALLENGE_SECONDS } from './passkey.ts'
import { PROOF_SECONDS } from './proof.ts'
import { admittedKey, keyTextOf } from './program-key.ts'
import { deleteExpiredKeys } from './program-key-store.ts'
import { deleteOldProofs, deleteOldChallenges } from './factor-store.ts'

const DAY_SECONDS = 86_400

/** A request with a key for programs has no session, whatever cookies it carries. */
const sidOf = (request: FastifyRequest, config: Config): Sid | undefined =>
  keyTextOf(request) === undefined ? readSid(request.cookies[cookieName(config, 'sid')]) : undefined

/** Users of requests whose session was looked up, for log lines about the requests. */
const users = new WeakMap<FastifyRequest, string>()

/** The user of a request whose active session was looked up, or whose key was admitted. */
export const knownUser = (request: FastifyRequest): string | undefined =>
  users.get(request) ?? admittedKey(request)?.userId

type Session = { id: string; userId: string }

/** The session is looked up once per request, even if a refusal needs it again. */
const lookedUp = new WeakMap<FastifyRequest, Promise<Session | undefined>>()

/** The session of a request; undefined if the cookie had no active session at the first look-up. */
export function sessionOf(context: Context, request: FastifyRequest): Promise<Session | undefined> {
  const session = lookedUp.get(request) ?? lookUpSession(context, request)
  lookedUp.set(request, session)
  return session
}

type LookUp = (sid: string) => Promise<Session | undefined>

const lookUps = new WeakMap<Context, LookUp>()

/**
 * Threat: each call of a flood would hold a connection to look up the same session. So calls with
 * one cookie share a look-up. It begins after all of them, so it never finds a session that ended
 * before one of them.
 */
async function lookUpSession(
  context: Context,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const sid = sidOf(request, context.config)
  if (sid === undefined) return undefined
  const known = lookUps.get(context)
  const lookUp = known ?? coalesce((text) => findSeen(context, readSid(text)))
  if (!known) lookUps.set(context, lookUp)
  const session = await lookUp(sidText(sid))
  if (session) users.set(request, session.userId)
  return session
}

async function findSeen(
  { sql, reads, config }: Context,
  sid: Sid | undefined,
): Promise<Session | undefined> {
  if (sid === undefined) return undefined
  const session = await findSession(reads, sid, config)
  if (session?.isSeenLongAgo) await touchSession(sql, sid, config)
  return session
}

export async function endedOf(
  { reads, config }: Context,
  sessions: readonly { id: string; userId: string }[],
): Promise<Set<string>> {
  const active = await findActive(reads, sessions, config)
  return new Set(sessions.map(({ id }) => id).filter((id) => !active.has(id)))
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

export function sessionControl(context: Context, exchange: Exchange): SessionControl {
  const { sql, reads, config } = context
  const cookies = cookiesOf(exchange, config)
  const sid = sidOf(exchange.request, config)
  return {
    start: (proof) => startSession(context, exchange, proof),
    knownDevice: (proof) => knownDevice(cookies.marks, { secret: config.SESSION_SECRET, proof }),
    id: async () => (sid === undefined ? undefined : (await findSession(reads, sid, config))?.id),
    user: async () => {
      const found = sid === undefined ? undefined : await findSignedInUser(reads, sid, config)
      if (sid !== undefined && found?.isSeenLongAgo) await touchSession(sql, sid, config)
      if (sid !== undefined && found && !cookies.hasKey) cookies.giveKey(sid)
      if (!found && cookies.hasKey) cookies.takeKey()
      return found?.user
    },
    end: () => signOut(context, exchange),
  }
}

/** Reads the session cookies of a request and sets those of its answer. */
function cookiesOf({ request, reply }: Exchange, config: Config) {
  const secret = config.SESSION_SECRET
  const [sidCookie, deviceCookie, keptCookie] = [
    cookieName(config, 'sid'),
    cookieName(config, 'device'),
    cookieName(config, 'kept'),
  ]
  const secure = isBehindTls(config)
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  const forScripts = { ...attributes, httpOnly: false }
  const maxAge = config.SESSION_DAYS * DAY_SECONDS
  const marks = request.cookies[deviceCookie]
  return {
    marks,
    hasKey: request.cookies[keptCookie] !== undefined,
    giveKey: (of: Sid) =>
      void reply.setCookie(keptCookie, keptKey(of, secret), { ...forScripts, maxAge }),
    takeKey: () => void reply.clearCookie(keptCookie, forScripts),
    giveSid: (sid: Sid) => void reply.setCookie(sidCookie, sidText(sid), { ...attributes, maxAge }),
    takeSid: () => void reply.clearCookie(sidCookie, attributes),
    addMark: (proof: SessionProof) =>
      void reply.setCookie(deviceCookie, addMark(marks, { secret, proof }), {
        ...attributes,
        maxAge: 365 * DAY_SECONDS,
      }),
  }
}

type SessionProof = Parameters<SessionControl['start']>[0]

/** Threat: session fixation. Signing in always creates a new id. */
async function startSession(
  context: Context,
  exchange: Exchange,
  proof: SessionProof,
): Promise<void> {
  const { atomically, config, newId } = context
  const { request } = exchange
  const { userId } = proof
  const sid = sidOf(request, config)
  const id = newId()
  const [days, userAgent] = [config.SESSION_DAYS, browserOf(request.headers)]
  const made = await atomically(async (tx) => {
    if (sid !== undefined) await deleteSession(tx.sql, sid, config)
    const opened = await createSession(tx.sql, { id, ...proof, userAgent, days }, config)
    if (opened === undefined) throw new Refusal('wrong-credentials')
    const details = { session: id, ...traceOf(request, config.SESSION_SECRET) }
    await auditUser(context, tx, { userId, action: SIGN_IN_ACTIONS['signed-in'], details })
    return opened
  })
  const cookies = cookiesOf(exchange, config)
  cookies.giveSid(made)
  cookies.giveKey(made)
  cookies.addMark(proof)
}

async function signOut(context: Context, exchange: Exchange): Promise<void> {
  const { atomically, config } = context
  const { request, reply } = exchange
  const sid = sidOf(request, config)
  if (sid !== undefined)
    await atomically(async (tx) => {
      const session = await deleteSession(tx.sql, sid, config)
      if (session === undefined) return
      const { userId } = sid
      const details = { session, ...traceOf(request, config.SESSION_SECRET) }
      await auditUser(context, tx, { userId, action: 'sign-out', details })
      // Ends the session's event streams too. Those of the user's other sessions reconnect by
      // themselves.
      await publish(tx.sql, { name: 'sessions-ended', userIds: [userId] })
    })
  const cookies = cookiesOf(exchange, config)
  cookies.takeSid()
  cookies.takeKey()
  // Clears cached pages, so that Back shows none. Keeps "storage", because it holds the installed
  // app, and "cookies", because they hold the language.
  void reply.header('clear-site-data', '"cache"')
}

/**
 * The key with which this browser seals answers for use offline. It is derived from the session,
 * but the session cannot be computed from it. Its 32 characters are the bytes of an AES-256 key,
 * with 192 bits of entropy.
 */
function keptKey({ secret }: Sid, serverSecret: string): string {
  return createHmac('sha256', serverSecret)
    .update(`kept ${secret}`)
    .digest('base64url')
    .slice(0, 32)
}

export function browserOf({
  'user-agent': agent = '',
  'sec-ch-ua': brands = '',
  'sec-ch-ua-platform': platform = '',
}: IncomingHttpHeaders): string {
  return [agent, brands, platform]
    .map((text) => String(text).slice(0, 300))
    .join('\n')
    .trim()
}

/**
 * Browser and address for the audit trail. The address is a digest, which is stable and cannot be
 * reversed without the secret.
 */
export function traceOf(
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  secret: string,
): { browser: string; address: string } {
  const address = createHmac('sha256', secret)
    .update(JSON.stringify(['address', ip]))
    .digest('base64url')
    .slice(0, 16)
  return { browser: browserOf(headers).slice(0, 300), address }
}

/** Deletes expired sessions, keys, proofs and challenges, and outdated counts of attempts. */
export async function deleteExpiredSessions({ sql, config }: Context): Promise<void> {
  await deleteEndedSessions(sql, config)
  await deleteOldChallenges(sql, { seconds: 2 * CHALLENGE_SECONDS })
  await deleteOldProofs(sql, { seconds: PROOF_SECONDS })
  await deleteOldThrottles(sql)
  await deleteExpiredKeys(sql)
}
