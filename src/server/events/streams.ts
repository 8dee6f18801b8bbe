import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Encoding } from './wire-text.ts'

/**
 * Maximum number of open streams: in this process, of signed-out browsers in all, of a user, and from one address, signed out and signed in. A
 * browser opens one for each tab. Many people may share an address, and signing in costs more than opening a stream.
 */
const MOST_STREAMS = { all: 20_000, signedOut: 2_000, user: 20, signedOutAddress: 20, address: 200 }

/**
 * Signed-out browsers, without a `session`, receive prices only. `socket`: where chunks of the answer can be written, from its beginning until its
 * end.
 */
export type Listener = { session: { id: string; userId: string } | undefined; address: string; encoding: Encoding; socket?: Socket | undefined }

/** The open streams of this process, found by user: most events concern one user, and most processes have no stream of theirs. */
export type Streams = {
  /** False if there are too many. */
  add: (stream: ServerResponse, listener: Listener) => boolean
  listenerOf: (stream: ServerResponse) => Listener | undefined
  all: () => Iterable<[ServerResponse, Listener]>
  /** Of these users; of everybody who is signed in without them. */
  of: (userIds?: readonly string[]) => Iterable<[ServerResponse, Listener]>
  size: () => number
}

type Group = Map<ServerResponse, Listener>

export function openStreams(): Streams {
  const all: Group = new Map()
  const users = new Map<string, Group>()
  const addresses = new Map<string, Group>()
  const signedOut: Group = new Map()
  const remove = (stream: ServerResponse, { session, address }: Listener) => {
    all.delete(stream)
    signedOut.delete(stream)
    takeOut(addresses, placeOf(session, address), stream)
    if (session) takeOut(users, session.userId, stream)
  }
  return {
    add: (stream, listener) => {
      const { session, address } = listener
      // Threat: one client could take all streams from everybody else.
      const fromHere = addresses.get(placeOf(session, address))?.size ?? 0
      const mostFromHere = session ? MOST_STREAMS.address : MOST_STREAMS.signedOutAddress
      const isCrowded = session ? (users.get(session.userId)?.size ?? 0) >= MOST_STREAMS.user : signedOut.size >= MOST_STREAMS.signedOut
      if (all.size >= MOST_STREAMS.all || fromHere >= mostFromHere || isCrowded) return false
      all.set(stream, listener)
      putInto(addresses, placeOf(session, address), [stream, listener])
      if (session) putInto(users, session.userId, [stream, listener])
      else signedOut.set(stream, listener)
      stream.on('close', () => remove(stream, listener))
      return true
    },
    listenerOf: (stream) => all.get(stream),
    all: () => all,
    of: (userIds) => (userIds === undefined ? [...users.values()] : userIds.flatMap((userId) => users.get(userId) ?? [])).flatMap((group) => [...group]),
    size: () => all.size,
  }
}

const placeOf = (session: Listener['session'], address: string): string => `${session === undefined ? 'signed out' : 'signed in'} ${address}`

function putInto(groups: Map<string, Group>, key: string, [stream, listener]: [ServerResponse, Listener]): void {
  const group = groups.get(key)
  if (group) group.set(stream, listener)
  else groups.set(key, new Map([[stream, listener]]))
}

function takeOut(groups: Map<string, Group>, key: string, stream: ServerResponse): void {
  const group = groups.get(key)
  group?.delete(stream)
  if (group?.size === 0) groups.delete(key)
}
