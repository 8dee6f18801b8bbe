import type { ServerResponse } from 'node:http'
import { BEAT, BEAT_INTERVAL_MS } from '#contract/events.ts'
import type { PoolStates } from '#contract/holdings.ts'
import type { Prices } from '#contract/market.ts'
import type { Moment, Moments } from '#server/ports/events.ts'
import type { AppEvent } from './bus.ts'
import { openMemory } from './memory.ts'
import { eventPositionText } from './moment.ts'
import { ticksBetween, pacePrices } from './price-ticks.ts'
import { beginning, wireText, type WireText, type Encoding } from './wire-text.ts'
import type { Socket } from 'node:net'

export class Hub {
  readonly #streams = new Streams()
  readonly #memory = openMemory()
  readonly #prices = pacePrices((before, now) => this.#sendTicks(before, now))
  readonly #beat: NodeJS.Timeout
  /** Position below which the events of all transactions have been sent to every stream. */
  #sent: Moment | undefined
  /** The highest transaction number of a received event. */
  #heard = 0n

  /**
   * `isConnected`: no beat is sent while events may be lost, so that pages without a beat refetch
   * within a minute.
   */
  constructor(isConnected: () => boolean = () => true) {
    this.#beat = setInterval(
      () => isConnected() && this.#sendTo(this.#streams.all(), BEAT),
      BEAT_INTERVAL_MS,
    )
    this.#beat.unref()
  }

  /** Adds a browser before its answer begins. False if there are too many. */
  add(answer: ServerResponse, listener: Listener): boolean {
    return this.#streams.add(answer, listener)
  }

  begin(answer: ServerResponse, since: Moment | undefined): void {
    const stream = this.#streams.streamOf(answer)
    if (!stream) return
    const { session, encoding } = stream
    // Written through the response, because its headers must be sent first.
    answer.write(
      Buffer.concat([beginning[encoding], wireText('retry: 2000\n\n')[encoding]().bytes]),
    )
    if (answer.chunkedEncoding) stream.socket = answer.socket ?? undefined
    if (since === undefined) return
    const missed = this.#memory.since(since).filter((event) => concerns(event, session?.userId))
    for (const event of onceEach(missed))
      write(stream, eventText({ sent: this.#sent, ...missedOf(event) }))
  }

  /** Notes the moment from which all events arrive. Earlier ones may have been missed. */
  listenFrom({ past, next }: Moments): void {
    this.#sent = past
    this.#heard = next.number
    this.#memory.begin(next)
  }

  send(event: AppEvent): void {
    const { name, userIds, number, data } = event
    this.#noteMoment(event)
    if (name === 'engine-wanted') return
    if (name === 'sessions-ended') return endStreams(this.#streams.of(userIds ?? []))
    if (name === 'prices') return this.#prices.note(pricesOf(event))
    if (number !== undefined) this.#memory.note(event, number)
    this.#sendTo(this.#streams.of(userIds), name, data)
  }

  sessions(): { id: string; userId: string }[] {
    return [...this.#streams.of()].flatMap(({ session }) => session ?? [])
  }

  end(sessionIds: ReadonlySet<string>): void {
    endStreams(
      [...this.#streams.of()].filter(({ session }) => session && sessionIds.has(session.id)),
    )
  }

  size(): number {
    return this.#streams.size()
  }

  close(): void {
    clearInterval(this.#beat)
    this.#prices.stop()
    endStreams(this.#streams.all())
  }

  #noteMoment({ number = 0n, past = 0n }: AppEvent): void {
    if (number > this.#heard) this.#heard = number
    if (this.#sent !== undefined && past > this.#sent.number)
      this.#sent = { ...this.#sent, number: past }
  }

  #sendTicks(before: Prices, now: Prices): void {
    const ticks = ticksBetween(before, now)
    if (Object.keys(ticks).length === 0) return
    this.#memory.note({ name: 'prices', data: now }, this.#heard)
    this.#sendTo(this.#streams.all(), 'prices', ticks)
  }

  #sendTo(receivers: Iterable<Stream>, name: string, data?: unknown): void {
    let text: WireText | undefined
    for (const stream of receivers)
      write(stream, (text ??= eventText({ sent: this.#sent, name, data })))
  }
}

const pricesOf = ({ data }: AppEvent): Prices => (data ?? {}) as Prices

/** Reduces events to one of each name to refetch, with the last state of each pool. */
function onceEach(events: readonly AppEvent[]): Iterable<AppEvent> {
  const pools = Object.assign(
    {},
    ...events.flatMap(({ name, data }) => (name === 'pools' && data ? [data] : [])),
  ) as PoolStates
  return new Map(
    events.map((event) => [event.name, event.name === 'pools' ? { ...event, data: pools } : event]),
  ).values()
}

/**
 * The event with all values that can change, because it is unknown which prices the browser missed.
 */
function missedOf(event: AppEvent): { name: string; data?: unknown } {
  return event.name === 'prices'
    ? { name: 'prices', data: ticksBetween({}, pricesOf(event)) }
    : event
}

/** The text of an event. Its id is the moment from which the browser resumes. */
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
    `${sent === undefined ? '' : `id: ${eventPositionText(sent)}\n`}event: ${name}\ndata: ` +
      `${JSON.stringify(data)}\n\n`,
  )
}

/**
 * Ends streams; browsers with active sessions reconnect by themselves. Threat: an open stream
 * outlives its session.
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
 * Writes directly to the socket if possible, because an answer would frame the same bytes again for
 * each stream, which costs as much as all other user-space work. Disconnects a browser that does
 * not read; it reconnects and resumes.
 */
function write({ answer, socket, encoding }: Stream, text: WireText): void {
  const { bytes, chunk } = text[encoding]()
  if ((socket ?? answer).writableLength > 256_000) answer.destroy()
  else if (socket) socket.write(chunk)
  else if (!answer.writableEnded) answer.write(bytes)
}

/**
 * Maximum open streams: in this process, of signed-out browsers in all, per user, and per address,
 * signed out and signed in. A browser opens one per tab. Many people may share an address, and
 * signing in costs more than opening a stream.
 */
const MOST_STREAMS = { all: 20_000, signedOut: 2_000, user: 20, signedOutAddress: 20, address: 200 }

/** Signed-out browsers, without a `session`, receive prices only. */
type Listener = {
  session: { id: string; userId: string } | undefined
  address: string
  encoding: Encoding
}

/** `socket`: accepts chunks of the answer while the answer is open. */
type Stream = Listener & { answer: ServerResponse; socket: Socket | undefined }

type Group = Set<Stream>

/**
 * Streams, indexed by user, because most events concern one user, who has no stream in most
 * processes.
 */
class Streams {
  readonly #all = new Map<ServerResponse, Stream>()
  readonly #users = new Map<string, Group>()
  readonly #addresses = new Map<string, Group>()
  readonly #signedOut: Group = new Set()

  /** False if there are too many. */
  add(answer: ServerResponse, listener: Listener): boolean {
    if (this.#isFull(listener)) return false
    const { session, address, encoding } = listener
    // All fields are set at once for speed: V8 would put later ones into a second object.
    const stream: Stream = { answer, socket: undefined, encoding, session, address }
    this.#all.set(answer, stream)
    putInto(this.#addresses, placeOf(stream), stream)
    if (session) putInto(this.#users, session.userId, stream)
    else this.#signedOut.add(stream)
    answer.on('close', () => this.#remove(stream))
    return true
  }

  streamOf(answer: ServerResponse): Stream | undefined {
    return this.#all.get(answer)
  }

  all(): Iterable<Stream> {
    return this.#all.values()
  }

  of(userIds?: readonly string[]): Iterable<Stream> {
    const groups =
      userIds === undefined
        ? [...this.#users.values()]
        : userIds.flatMap((userId) => this.#users.get(userId) ?? [])
    return groups.flatMap((group) => [...group])
  }

  size(): number {
    return this.#all.size
  }

  /** Threat: one client could take all streams from everybody else. */
  #isFull(listener: Listener): boolean {
    const { session } = listener
    const fromHere = this.#addresses.get(placeOf(listener))?.size ?? 0
    if (this.#all.size >= MOST_STREAMS.all) return true
    return session
      ? fromHere >= MOST_STREAMS.address ||
          (this.#users.get(session.userId)?.size ?? 0) >= MOST_STREAMS.user
      : fromHere >= MOST_STREAMS.signedOutAddress || this.#signedOut.size >= MOST_STREAMS.signedOut
  }

  #remove(stream: Stream): void {
    const { answer, session } = stream
    this.#all.delete(answer)
    this.#signedOut.delete(stream)
    takeOut(this.#addresses, placeOf(stream), stream)
    if (session) takeOut(this.#users, session.userId, stream)
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
