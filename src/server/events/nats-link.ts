import { setTimeout as delay } from 'node:timers/promises'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { FastifyBaseLogger } from 'fastify'
import { reconnectDelayMs } from '#server/db/listen.ts'
import { newId } from '#server/ids.ts'
import type { NatsAddress } from '#server/nats-address.ts'
import { StartupError } from '#server/startup-error.ts'
import { complaintOf, NotHandedOn } from './nats-complaint.ts'

const CONNECT_TIMEOUT_MS = 4_000
/** After two pings without an answer the connection counts as lost. */
const PING_EVERY_MS = 2_000
const END_WITHIN_MS = 1_000

/** A connection to the NATS server that is made again whenever it is lost. */
export type Link = {
  /** Sends to all that hear the subject, this process too; nothing while the connection is lost. */
  send: (message: string) => void
  isOpen: () => boolean
  stop: () => Promise<void>
}

type LinkOptions = {
  address: NatsAddress
  subject: string
  /** Sent first on each connection: hearing it proves that this user may send and hear. */
  greeting: () => string
  onMessage: (message: string) => void
  onOpen: () => void
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/**
 * Throws a `StartupError` if the server refuses us. One that is not reached is logged, and tried until it is there: money is traded and paid
 * without it.
 */
export async function openLink(options: LinkOptions): Promise<Link> {
  const state: State = { connection: undefined, ended: new AbortController() }
  state.connection = await open(options).catch((error: unknown) => {
    const { sentence, isRefusal } = complaintOf(error, options)
    if (isRefusal) throw new StartupError(sentence)
    options.log.warn(`${sentence} Until it is there, this process hears nothing of others.`)
    return undefined
  })
  const kept = keepOpen(options, state)
  return {
    send: (message) => {
      if (isOpen(state)) state.connection?.publish(options.subject, message)
    },
    isOpen: () => isOpen(state),
    stop: async () => {
      state.ended.abort()
      await end(state.connection)
      await kept
      // It may have been made meanwhile.
      await end(state.connection)
    },
  }
}

type State = { connection: NatsConnection | undefined; ended: AbortController }

const isOpen = ({ connection }: State): boolean => connection?.isClosed() === false

async function keepOpen(options: LinkOptions, state: State): Promise<void> {
  const { signal } = state.ended
  for (let failures = 0; !signal.aborted; failures += 1) {
    if (state.connection !== undefined) {
      failures = 0
      options.onOpen()
      await state.connection.closed()
      state.connection = undefined
      if (!signal.aborted) options.log.warn('The NATS server in EVENTS_URL is lost: until it is back, this process hears nothing of others')
    }
    await delay(reconnectDelayMs(failures), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    state.connection = await open(options).catch(() => undefined)
    if (state.connection !== undefined) options.log.warn('The NATS server in EVENTS_URL is there')
  }
}

/** Sends what is still to be sent. */
async function end(connection: NatsConnection | undefined): Promise<void> {
  if (connection === undefined || connection.isClosed()) return
  await Promise.race([connection.flush(), delay(END_WITHIN_MS, undefined, { ref: false })]).catch(() => undefined)
  await connection.close()
}

/** Connects once and sends something to itself; returns why that cannot be done. */
export async function reachNats(address: NatsAddress): Promise<string | undefined> {
  const subject = 'trading-bot.doctor'
  try {
    await end(await open({ address, subject, greeting: newId, onMessage: () => undefined }))
    return undefined
  } catch (error) {
    return complaintOf(error, { address, subject }).sentence
  }
}

/** A connection on which the greeting was heard. */
async function open({ address, subject, greeting, onMessage }: Omit<LinkOptions, 'onOpen' | 'log'>): Promise<NatsConnection> {
  const { connect } = await import('@nats-io/transport-node')
  const connection = await connect({
    servers: address.servers,
    ...address.credentials,
    ...(address.isTls && { tls: {} }),
    name: 'trading-bot',
    reconnect: false,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_EVERY_MS,
  })
  const message = greeting()
  const heard = new Promise<void>((resolve, reject) => {
    const callback = (error: Error | null, received: Msg) => {
      if (error) return void connection.close().then(() => reject(error))
      const text = received.string()
      if (text === message) resolve()
      onMessage(text)
    }
    connection.subscribe(subject, { callback })
  })
  connection.publish(subject, message)
  try {
    await Promise.race([heard, lateOrClosed(connection)])
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function lateOrClosed(connection: NatsConnection): Promise<never> {
  const reason = await Promise.race([connection.closed(), delay(CONNECT_TIMEOUT_MS, undefined, { ref: false })])
  throw reason ?? new NotHandedOn()
}
