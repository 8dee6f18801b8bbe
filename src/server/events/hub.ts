import type { ServerResponse } from 'node:http'
import { BEAT, BEAT_INTERVAL_MS } from '#contract/events.ts'
import type { Prices } from '#contract/market.ts'
import type { AppEvent } from './bus.ts'
import { openMemory } from './memory.ts'
import { pacePrices } from './pace-prices.ts'
import { ticksBetween } from './price-ticks.ts'
import { beginning, wireText, type Encoding, type WireText } from './wire-text.ts'

/**
 * Maximum number of open streams: in this process, of signed-out browsers in all, of a user, and from one address, signed out and signed in. A
 * browser opens one for each tab. Many people may share an address, and signing in costs more than opening a stream.
 */
const MOST_STREAMS = { all: 20_000, signedOut: 2_000, user: 20, signedOutAddress: 20, address: 200 }

/** Signed-out browsers, without a `session`, receive prices only. */
type Listener = { session: { id: string; userId: string } | undefined; address: string; encoding: Encoding }

/** The open event streams of this process. */
export type Hub = {
  /** Adds a browser, whose answer has not begun. False if there are too many. */
  add: (stream: ServerResponse, listener: Listener) => boolean
  /** Begins the answer, with the events since the browser's page was rendered or its last stream ended. */
  begin: (stream: ServerResponse, sinceMs: number | undefined) => void
  send: (event: AppEvent) => void
  /** The sessions whose browsers listen. */
  sessions: () => { id: string; userId: string }[]
  /** Ends the streams of these sessions. */
  end: (sessionIds: ReadonlySet<string>) => void
  size: () => number
  close: () => void
}

export function openHub(): Hub {
  const streams = new Map<ServerResponse, Listener>()
  const memory = openMemory()
  const broadcast = (text: WireText, isMeant: (listener: Listener) => boolean = () => true) => {
    for (const [stream, listener] of streams) if (isMeant(listener)) write(stream, text[listener.encoding]())
  }
  const prices = pacePrices((before, now) => {
    const ticks = ticksBetween(before, now)
    if (Object.keys(ticks).length === 0) return
    memory.note({ name: 'prices', data: now })
    broadcast(eventText('prices', ticks))
  })
  const beat = setInterval(() => broadcast(eventText(BEAT)), BEAT_INTERVAL_MS)
  beat.unref()
  return {
    add: (stream, listener) => {
      if (!hasRoom([...streams.values()], listener)) return false
      streams.set(stream, listener)
      stream.on('close', () => streams.delete(stream))
      return true
    },
    begin: (stream, sinceMs) => {
      const { session, encoding } = streams.get(stream) ?? { session: undefined, encoding: 'text' }
      write(stream, beginning[encoding])
      write(stream, wireText('retry: 2000\n\n')[encoding]())
      const missed = sinceMs === undefined ? [] : memory.since(sinceMs).filter((event) => concerns(event, session?.userId))
      // Deduplicated by name: an event only says which query to refetch.
      for (const event of new Map(missed.map((one) => [one.name, one])).values()) write(stream, missedText(event)[encoding]())
    },
    send: (event) => {
      if (event.name === 'sessions-ended') return endStreams(streams, ({ userId }) => event.userIds?.includes(userId) === true)
      if (event.name === 'prices') return prices.note(pricesOf(event))
      memory.note(event)
      broadcast(eventText(event.name), ({ session }) => concerns(event, session?.userId))
    },
    sessions: () => [...streams.values()].flatMap(({ session }) => session ?? []),
    end: (sessionIds) => endStreams(streams, ({ id }) => sessionIds.has(id)),
    size: () => streams.size,
    close: () => {
      clearInterval(beat)
      prices.stop()
      for (const stream of streams.keys()) stream.end()
    },
  }
}

const pricesOf = ({ data }: AppEvent): Prices => (data ?? {}) as Prices

/** Of missed prices all that changes: how long the browser missed them is not known. */
function missedText(event: AppEvent): WireText {
  return event.name === 'prices' ? eventText('prices', ticksBetween({}, pricesOf(event))) : eventText(event.name)
}

/** The id is the time from which a browser asks for what it missed. */
function eventText(name: string, data: unknown = {}): WireText {
  return wireText(`id: ${Date.now()}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** Threat: one client could take all streams from everybody else. */
function hasRoom(open: readonly Listener[], { session, address }: Listener): boolean {
  const count = (isCounted: (other: Listener) => boolean) => open.filter(isCounted).length
  if (open.length >= MOST_STREAMS.all) return false
  if (session === undefined) {
    const isSignedOut = (other: Listener) => other.session === undefined
    return count(isSignedOut) < MOST_STREAMS.signedOut && count((other) => isSignedOut(other) && other.address === address) < MOST_STREAMS.signedOutAddress
  }
  return count((other) => other.session?.userId === session.userId) < MOST_STREAMS.user && count((other) => other.address === address) < MOST_STREAMS.address
}

/** Threat: a stream that was opened with a session would outlive it. Browsers with active sessions reconnect by themselves. */
function endStreams(streams: ReadonlyMap<ServerResponse, Listener>, isMeant: (session: { id: string; userId: string }) => boolean): void {
  for (const [stream, { session }] of streams) if (session !== undefined && isMeant(session)) stream.end()
}

function concerns({ name, userIds }: AppEvent, userId: string | undefined): boolean {
  if (name === 'prices') return true
  return userId !== undefined && (userIds === undefined || userIds.includes(userId))
}

/** Disconnects a browser that does not read: it reconnects by itself and requests what it missed. */
function write(stream: ServerResponse, piece: string | Buffer): void {
  if (stream.writableLength > 256_000) stream.destroy()
  else stream.write(piece)
}
