import type { ServerResponse } from 'node:http'
import { BEAT, BEAT_INTERVAL_MS } from '#contract/events.ts'
import type { PoolStates } from '#contract/holdings.ts'
import type { Prices } from '#contract/market.ts'
import type { Moment, Moments } from '#server/ports/events.ts'
import type { AppEvent } from './bus.ts'
import { openMemory } from './memory.ts'
import { momentText } from './moment.ts'
import { ticksBetween, pacePrices } from './price-ticks.ts'
import { beginning, wireText, type WireText, type Encoding } from './wire-text.ts'
import type { Socket } from 'node:net'

/** The open event streams of this process. */
export type Hub = {
  /** Adds a browser, whose answer has not begun. False if there are too many. */
  add: (answer: ServerResponse, listener: Listener) => boolean
  /**
   * Begins the answer, with the events since the browser's page was rendered or its last stream
   * ended.
   */
  begin: (answer: ServerResponse, since: Moment | undefined) => void
  /** This process hears all events from now on, and may have missed some until now. */
  listenFrom: (moments: Moments) => void
  send: (event: AppEvent) => void
  /** The sessions whose browsers listen. */
  sessions: () => { id: string; userId: string }[]
  /** Ends the streams of these sessions. */
  end: (sessionIds: ReadonlySet<string>) => void
  size: () => number
  close: () => void
}

/**
 * Without a beat every page asks again by itself within a minute: there is none while `isHearing`
 * says that events may not arrive.
 */
export function openHub(isHearing: () => boolean = () => true): Hub {
  const streams = openStreams()
  const memory = openMemory()
  /** Every stream has been sent all events of transactions below it. */
  let sent: Moment | undefined
  /** The highest number of a transaction that was heard of. */
  let heard = 0n
  const to = (receivers: Iterable<Stream>, name: string, data?: unknown) => {
    let text: WireText | undefined
    for (const stream of receivers) write(stream, (text ??= eventText({ sent, name, data })))
  }
  const prices = pacePrices((before, now) => {
    const ticks = ticksBetween(before, now)
    if (Object.keys(ticks).length === 0) return
    memory.note({ name: 'prices', data: now }, heard)
    to(streams.all(), 'prices', ticks)
  })
  const beat = setInterval(() => isHearing() && to(streams.all(), BEAT), BEAT_INTERVAL_MS)
  beat.unref()
  const noteMoment = ({ number = 0n, past = 0n }: AppEvent) => {
    if (number > heard) heard = number
    if (sent !== undefined && past > sent.number) sent = { ...sent, number: past }
  }
  return {
    add: streams.add,
    begin: (answer, since) => {
      const stream = streams.streamOf(answer)
      if (!stream) return
      const { session, encoding } = stream
      // By way of the answer, whose headers go first.
      answer.write(
        Buffer.concat([beginning[encoding], wireText('retry: 2000\n\n')[encoding]().bytes]),
      )
      if (answer.chunkedEncoding) stream.socket = answer.socket ?? undefined
      const missed =
        since === undefined
          ? []
          : memory.since(since).filter((event) => concerns(event, session?.userId))
      for (const event of onceEach(missed)) write(stream, eventText({ sent, ...missedOf(event) }))
    },
    listenFrom: ({ past, next }) => {
      sent = past
      heard = next.number
      memory.begin(next)
    },
    send: (event) => {
      const { name, userIds, number } = event
      noteMoment(event)
      if (name === 'engine-wanted') return
      if (name === 'sessions-ended') return endStreams(streams.of(userIds ?? []))
      if (name === 'prices') return prices.note(pricesOf(event))
      if (number !== undefined) memory.note(event, number)
      to(streams.of(userIds), name, event.data)
    },
    sessions: () => [...streams.of()].flatMap(({ session }) => session ?? []),
    end: (sessionIds) =>
      endStreams(
        [...streams.of()].filter(
          ({ session }) => session !== undefined && sessionIds.has(session.id),
        ),
      ),
    size: streams.size,
    close: () => {
      clearInterval(beat)
      prices.stop()
      endStreams(streams.all())
    },
  }
}

const pricesOf = ({ data }: AppEvent): Prices => (data ?? {}) as Prices

/**
 * One event of each name, which says which queries to refetch, with the last state of each pool.
 */
function onceEach(events: readonly AppEvent[]): Iterable<AppEvent> {
  const pools = Object.assign(
    {},
    ...events.flatMap(({ name, data }) => (name === 'pools' && data ? [data] : [])),
  ) as PoolStates
  return new Map(
    events.map((event) => [event.name, event.name === 'pools' ? { ...event, data: pools } : event]),
  ).values()
}

/** Of missed prices all that changes: how long the browser missed them is not known. */
function missedOf(event: AppEvent): { name: string; data?: unknown } {
  return event.name === 'prices'
    ? { name: 'prices', data: ticksBetween({}, pricesOf(event)) }
    : event
}

/** The id is the moment from which a browser asks for what it missed. */
function eventText({
  sent,
  name,
  data = {},
}: {
  sent: Moment | undefined
  name: string
  data?: unknown
}): WireText {
  return wireText(
    `${sent === undefined ? '' : `id: ${momentText(sent)}\n`}event: ${name}\ndata: ` +
      `${JSON.stringify(data)}\n\n`,
  )
}

/**
 * Threat: a stream that was opened with a session would outlive it. Browsers with active sessions
 * reconnect by themselves.
 */
function endStreams(streams: Iterable<Stream>): void {
  for (const stream of streams) {
    stream.socket = undefined
    stream.answer.end()
  }
}

function concerns({ name, userIds }: AppEvent, userId: string | undefined): boolean {
  if (name === 'prices') return true
  return userId !== undefined && (userIds === undefined || userIds.includes(userId))
}

/**
 * Writes to the socket itself where it can: an answer would frame the same bytes again for each
 * stream, in three parts, which costs as much as all the rest that is not the system's. Disconnects
 * a browser that does not read: it reconnects by itself and requests what it missed.
 */
function write({ answer, socket, encoding }: Stream, text: WireText): void {
  const { bytes, chunk } = text[encoding]()
  if ((socket ?? answer).writableLength > 256_000) answer.destroy()
  else if (socket) socket.write(chunk)
  else if (!answer.writableEnded) answer.write(bytes)
}

/**
 * Maximum number of open streams: in this process, of signed-out browsers in all, of a user, and
 * from one address, signed out and signed in. A browser opens one for each tab. Many people may
 * share an address, and signing in costs more than opening a stream.
 */
const MOST_STREAMS = { all: 20_000, signedOut: 2_000, user: 20, signedOutAddress: 20, address: 200 }

/** Signed-out browsers, without a `session`, receive prices only. */
type Listener = {
  session: { id: string; userId: string } | undefined
  address: string
  encoding: Encoding
}

/** `socket`: where chunks of the answer can be written, from its beginning until its end. */
type Stream = Listener & { answer: ServerResponse; socket: Socket | undefined }

/**
 * The open streams of this process, found by user: most events concern one user, and most processes
 * have no stream of theirs.
 */
export type Streams = {
  /** False if there are too many. */
  add: (answer: ServerResponse, listener: Listener) => boolean
  streamOf: (answer: ServerResponse) => Stream | undefined
  all: () => Iterable<Stream>
  /** Of these users; of everybody who is signed in without them. */
  of: (userIds?: readonly string[]) => Iterable<Stream>
  size: () => number
}

type Group = Set<Stream>

function openStreams(): Streams {
  const all = new Map<ServerResponse, Stream>()
  const users = new Map<string, Group>()
  const addresses = new Map<string, Group>()
  const signedOut: Group = new Set()
  const remove = (stream: Stream) => {
    const { answer, session } = stream
    all.delete(answer)
    signedOut.delete(stream)
    takeOut(addresses, placeOf(stream), stream)
    if (session) takeOut(users, session.userId, stream)
  }
  return {
    add: (answer, listener) => {
      const { session, address, encoding } = listener
      // Threat: one client could take all streams from everybody else.
      const fromHere = addresses.get(placeOf(listener))?.size ?? 0
      const mostFromHere = session ? MOST_STREAMS.address : MOST_STREAMS.signedOutAddress
      const isCrowded = session
        ? (users.get(session.userId)?.size ?? 0) >= MOST_STREAMS.user
        : signedOut.size >= MOST_STREAMS.signedOut
      if (all.size >= MOST_STREAMS.all || fromHere >= mostFromHere || isCrowded) return false
      // With all its fields from the start: V8 would keep one that is added later in a second
      // object, which each event would load as well.
      const stream: Stream = { answer, socket: undefined, encoding, session, address }
      all.set(answer, stream)
      putInto(addresses, placeOf(stream), stream)
      if (session) putInto(users, session.userId, stream)
      else signedOut.add(stream)
      answer.on('close', () => remove(stream))
      return true
    },
    streamOf: (answer) => all.get(answer),
    all: () => all.values(),
    of: (userIds) =>
      (userIds === undefined
        ? [...users.values()]
        : userIds.flatMap((userId) => users.get(userId) ?? [])
      ).flatMap((group) => [...group]),
    size: () => all.size,
  }
}

const placeOf = ({ session, address }: Listener): string =>
  `${session === undefined ? 'signed out' : 'signed in'} ${address}`

function putInto(groups: Map<string, Group>, key: string, stream: Stream): void {
  const group = groups.get(key)
  if (group) group.add(stream)
  else groups.set(key, new Set([stream]))
}

function takeOut(groups: Map<string, Group>, key: string, stream: Stream): void {
  const group = groups.get(key)
  group?.delete(stream)
  if (group?.size === 0) groups.delete(key)
}
