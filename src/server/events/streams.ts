import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Encoding } from './wire-text.ts'

/**
 * Maximum number of open streams: in this process, of signed-out browsers in all, of a user, and
 * from one address, signed out and signed in. A browser opens one for each tab. Many people may
 * share an address, and signing in costs more than opening a stream.
 */
const MOST_STREAMS = { all: 20_000, signedOut: 2_000, user: 20, signedOutAddress: 20, address: 200 }

/** Signed-out browsers, without a `session`, receive prices only. */
export type Listener = {
  session: { id: string; userId: string } | undefined
  address: string
  encoding: Encoding
}

/** `socket`: where chunks of the answer can be written, from its beginning until its end. */
export type Stream = Listener & { answer: ServerResponse; socket: Socket | undefined }

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

export function openStreams(): Streams {
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
