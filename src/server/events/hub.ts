import type { ServerResponse } from 'node:http'
import { BEAT, BEAT_INTERVAL_MS } from '#contract/events.ts'
import type { PoolStates } from '#contract/holdings.ts'
import type { Prices } from '#contract/market.ts'
import type { Moment, Moments } from '#server/ports/events.ts'
import type { AppEvent } from './bus.ts'
import { openMemory } from './memory.ts'
import { momentText } from './moment.ts'
import { pacePrices } from './pace-prices.ts'
import { ticksBetween } from './price-ticks.ts'
import { openStreams, type Listener, type Stream } from './streams.ts'
import { beginning, wireText, type WireText } from './wire-text.ts'

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
