import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'

/** A request, named as its exchange names it: 'AddOrder', 'POST order', 'POST orders'. */
export type RestRequest = {
  method: string
  access: 'public' | 'private'
  name: string
  path: string
  query: URLSearchParams
  /** As sent, for signatures. */
  search: string
  body: string
  headers: IncomingMessage['headers']
}

/** A text is sent as it is, the rest as JSON; 'hang' never answers, 'drop' ends the connection. */
export type RestAnswer = { status?: number; body: unknown } | 'hang' | 'drop'

/** A part of the exchange: answers the calls it knows, and returns undefined for others. */
export type ExchangeSide = {
  rest: (request: RestRequest) => RestAnswer | undefined | Promise<RestAnswer | undefined>
  /** A websocket was opened at `path` ('/v2', '/v2/private'). */
  socketOpened?: (socket: WebSocket, path: string) => void
  /** A JSON message of a socket; true if this part answered it. */
  socketMessage?: (socket: WebSocket, message: Record<string, unknown>) => boolean
  close?: () => void
}
