import type { ServerResponse } from 'node:http'
import { BEAT, BEAT_INTERVAL_MS } from '#contract/events.ts'
import type { AppEvent } from './bus.ts'
import { openMemory } from './memory.ts'

/** Maximum number of open streams per process and per user: a browser opens one for each tab. */
const MOST_STREAMS = 20_000
const MOST_STREAMS_A_USER = 20

const BEAT_TEXT = `event: ${BEAT}\ndata: {}\n\n`

/** The open event streams of this process. */
export type Hub = {
  /** Adds a browser; signed-out ones receive prices only. False if there are too many. */
  add: (stream: ServerResponse, userId: string | undefined) => boolean
  /** Sends a browser the events since its page was rendered. */
  catchUp: (stream: ServerResponse, listener: { userId: string | undefined; sinceMs: number }) => void
  send: (event: AppEvent) => void
  size: () => number
  close: () => void
}

export function openHub(): Hub {
  const streams = new Map<ServerResponse, string | undefined>()
  const memory = openMemory()
  const beat = setInterval(() => {
    for (const stream of streams.keys()) write(stream, BEAT_TEXT)
  }, BEAT_INTERVAL_MS)
  beat.unref()
  return {
    add: (stream, userId) => {
      const mine = [...streams.values()].filter((owner) => owner !== undefined && owner === userId).length
      if (streams.size >= MOST_STREAMS || mine >= MOST_STREAMS_A_USER) return false
      streams.set(stream, userId)
      stream.on('close', () => streams.delete(stream))
      return true
    },
    send: (event) => {
      if (event.name === 'sessions-ended') return endStreams({ streams, userIds: event.userIds ?? [] })
      memory.note(event)
      const text = textOf(event)
      for (const [stream, userId] of streams) if (concerns(event, userId)) write(stream, text)
    },
    catchUp: (stream, { userId, sinceMs }) => {
      const missed = memory.since(sinceMs).filter((event) => concerns(event, userId))
      // Deduplicated by name: an event only says which query to refetch.
      for (const event of new Map(missed.map((one) => [one.name, one])).values()) write(stream, textOf(event))
    },
    size: () => streams.size,
    close: () => {
      clearInterval(beat)
      for (const stream of streams.keys()) stream.end()
    },
  }
}

function textOf({ name, data }: AppEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(data ?? {})}\n\n`
}

/** Threat: a stream that was opened with a session would outlive it. Browsers with active sessions reconnect by themselves. */
function endStreams({ streams, userIds }: { streams: ReadonlyMap<ServerResponse, string | undefined>; userIds: readonly string[] }): void {
  for (const [stream, userId] of streams) if (userId !== undefined && userIds.includes(userId)) stream.end()
}

function concerns({ name, userIds }: AppEvent, userId: string | undefined): boolean {
  if (name === 'prices') return true
  return userId !== undefined && (userIds === undefined || userIds.includes(userId))
}

/** Disconnects a browser that does not read: it reconnects by itself and requests what it missed. */
function write(stream: ServerResponse, text: string): void {
  if (stream.writableLength > 256_000) stream.destroy()
  else stream.write(text)
}
