import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'

/** A request of Kraken's REST API: `POST /0/private/AddOrder` has the name 'AddOrder'. */
export type RestRequest = {
  access: 'public' | 'private'
  name: string
  path: string
  query: URLSearchParams
  /** The raw body, for signatures. */
  body: string
  headers: IncomingMessage['headers']
}

/**
 * Kraken answers most refusals with 200 and `error`; 'hang' never answers, 'drop' closes the
 * connection.
 */
export type RestAnswer =
  | { status?: number; error?: readonly string[]; result?: unknown }
  | 'hang'
  | 'drop'

/** A part of the exchange: answers the calls it knows, and returns undefined for others. */
export type ExchangeSide = {
  rest: (request: RestRequest) => RestAnswer | undefined | Promise<RestAnswer | undefined>
  /** A websocket was opened at `path` ('/v2', '/v2/private'). */
  socketOpened?: (socket: WebSocket, path: string) => void
  /** A JSON message of a socket; true if this part answered it. */
  socketMessage?: (socket: WebSocket, message: Record<string, unknown>) => boolean
  close?: () => void
}
