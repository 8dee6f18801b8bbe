import type { ServerResponse } from 'node:http'
import type { AppEvent } from './bus.ts'

/** Streams open at most, in one process and for one user: a browser keeps one for each tab. */
const MOST_STREAMS = 20_000
const MOST_STREAMS_A_USER = 20
const HEARTBEAT_MS = 20_000

/** The open event streams of this process. */
export type Hub = {
  /** Adds a browser; signed-out ones hear prices only. False where there are too many. */
  add: (stream: ServerResponse, userId: string | undefined) => boolean
  send: (event: AppEvent) => void
  size: () => number
  close: () => void
}

export function openHub(): Hub {
  const streams = new Map<ServerResponse, string | undefined>()
  const beat = setInterval(() => {
    for (const stream of streams.keys()) stream.write(': still here\n\n')
  }, HEARTBEAT_MS)
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
      const text = `event: ${event.name}\ndata: ${JSON.stringify(event.data ?? {})}\n\n`
      for (const [stream, userId] of streams) if (concerns(event, userId)) write(stream, text)
    },
    size: () => streams.size,
    close: () => {
      clearInterval(beat)
      for (const stream of streams.keys()) stream.end()
    },
  }
}

/** Threat: a stream that was opened with a session would outlive it. Living sessions connect again by themselves. */
function endStreams({ streams, userIds }: { streams: ReadonlyMap<ServerResponse, string | undefined>; userIds: readonly string[] }): void {
  for (const [stream, userId] of streams) if (userId !== undefined && userIds.includes(userId)) stream.end()
}

function concerns({ name, userIds }: AppEvent, userId: string | undefined): boolean {
  if (name === 'prices') return true
  return userId !== undefined && (userIds === undefined || userIds.includes(userId))
}

/** A browser that does not read is let go: it comes back by itself and asks for what it missed. */
function write(stream: ServerResponse, text: string): void {
  if (stream.writableLength > 256_000) stream.destroy()
  else stream.write(text)
}
