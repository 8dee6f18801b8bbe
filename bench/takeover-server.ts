import { request as send } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Sql } from '#server/db/open.ts'
import type { Context } from '#server/context.ts'
import { startMailServer, type MailServer } from '../test/emulators/mail-server.ts'
import { removeDataDir, startServer } from '../test/process/running-server.ts'
import { TAKEOVER_CONFIG } from '../test/takeover/takeovers.ts'
import { SITE } from '../test/takeover/thief.ts'
import type { Scene } from '../test/takeover/scene.ts'
import { signUp } from '../test/world/world.ts'

/** A call to the server. `address`: the thief's; undefined for a call of the owner. */
export type Called = { address: string | undefined; beganMs: number; endedMs: number }

/**
 * A process of the product with its outbox worker, which sends to a real SMTP server on loopback.
 */
export type Served = {
  scene: Scene
  sql: Sql
  calls: readonly Called[]
  /** When each message arrived, by the id of its delivery. */
  arrivals: ReadonlyMap<string, number>
  close: () => Promise<void>
}

const LOOK_EVERY_MS = 5
const PATIENCE_MS = 60_000

export async function serve(): Promise<Served> {
  const mails = await startMailServer()
  const env = Object.fromEntries(
    Object.entries(TAKEOVER_CONFIG).map(([name, value]) => [name, String(value)]),
  )
  const server = await startServer({
    env: {
      ...env,
      TRUST_PROXY: '1',
      SESSION_SECRET: 'x'.repeat(32),
      MARKET_SEED: '7',
      SMTP_URL: mails.url,
      MAIL_FROM: 'bots@bots.example',
    },
  })
  const sql = await server.database()
  const calls: Called[] = []
  const { arrivals, stop } = watch(mails)
  const app = { inject: injectOver(server.url, calls) } as unknown as FastifyInstance
  const site = { apps: [app] as const, host: new URL(SITE).host }
  let cleared = 0
  const scene: Scene = {
    world: {
      app,
      context: { sql } as unknown as Context,
      user: (username = '') => signUp(site, username),
      payOut: async () => undefined,
    },
    post: {
      to: (address) => mails.received.slice(cleared).filter(({ to }) => to === address),
      clear: () => void (cleared = mails.received.length),
    },
    deliver: () => outboxIsEmpty(sql),
  }
  const close = async () => {
    stop()
    await sql.end({ timeout: 1 })
    await server.stop()
    await mails.close()
    await removeDataDir(server.dataDir)
  }
  return { scene, sql, calls, arrivals, close }
}

function watch(mails: MailServer): { arrivals: Map<string, number>; stop: () => void } {
  const arrivals = new Map<string, number>()
  let seen = 0
  const timer = setInterval(() => {
    for (const { id } of mails.received.slice(seen))
      arrivals.set(id.slice(1, id.indexOf('@')), arrivals.get(id) ?? Date.now())
    seen = mails.received.length
  }, LOOK_EVERY_MS)
  return { arrivals, stop: () => clearInterval(timer) }
}

async function outboxIsEmpty(sql: Sql): Promise<void> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs;) {
    const rows =
      await sql`select from reset_requests union all select from deliveries where state = 'waiting'
        and channel = 'mail' limit 1`
    if (rows.length === 0) return
    await delay(50)
  }
}

type Sent = {
  method?: string
  url: string
  query?: Record<string, string>
  headers?: Record<string, string>
  payload?: object
  remoteAddress?: string
}

/** Like `inject` of the server, but over HTTP and through a proxy's headers. */
function injectOver(base: string, calls: Called[]) {
  return async ({
    method = 'GET',
    url,
    query = {},
    headers = {},
    payload,
    remoteAddress,
  }: Sent) => {
    const text = payload === undefined ? undefined : JSON.stringify(payload)
    const forwarded = {
      'x-forwarded-proto': 'https',
      'x-forwarded-for': remoteAddress ?? '192.0.2.1',
    }
    const search = new URLSearchParams(query).toString()
    const beganMs = Date.now()
    const answer = await exchange(`${base}${url}${search && `?${search}`}`, {
      method,
      headers: {
        ...headers,
        ...forwarded,
        ...(text !== undefined && { 'content-type': 'application/json' }),
      },
      text,
    })
    calls.push({ address: remoteAddress, beganMs, endedMs: Date.now() })
    const cookies = (answer.headers['set-cookie'] ?? [])
      .map((line) => /^([^=]+)=([^;]*)/.exec(line))
      .map((found) => ({ name: found?.[1] ?? '', value: found?.[2] ?? '' }))
    return { ...answer, cookies, json: () => JSON.parse(answer.body) as unknown }
  }
}

type Answered = {
  statusCode: number
  headers: { 'set-cookie'?: string[] | undefined }
  body: string
}

function exchange(
  url: string,
  {
    method,
    headers,
    text,
  }: { method: string; headers: Record<string, string>; text: string | undefined },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () =>
        resolve({
          statusCode: answer.statusCode ?? 0,
          headers: { 'set-cookie': answer.headers['set-cookie'] },
          body: Buffer.concat(pieces).toString('utf8'),
        }),
      )
    })
    request.on('error', reject)
    request.end(text)
  })
}
