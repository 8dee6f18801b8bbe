import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'

/** A request of Kraken's REST API: `POST /0/private/AddOrder` has the name 'AddOrder'. */
export type RestRequest = {
  access: 'public' | 'private'
  name: string
  path: string
  query: URLSearchParams
  /** As it came, for signatures. */
  body: string
  headers: IncomingMessage['headers']
}

/** Kraken answers 200 with `error` filled for most refusals; 'hang' never answers, 'drop' breaks the line. */
export type RestAnswer = { status?: number; error?: readonly string[]; result?: unknown } | 'hang' | 'drop'

/** A side of the exchange: answers the calls it knows, undefined for those it does not. */
export type ExchangeSide = {
  rest: (request: RestRequest) => RestAnswer | undefined | Promise<RestAnswer | undefined>
  /** A websocket was opened at `path` ('/v2', '/v2/private'). */
  socketOpened?: (socket: WebSocket, path: string) => void
  /** A JSON message of a socket; true where this side answered it. */
  socketMessage?: (socket: WebSocket, message: Record<string, unknown>) => boolean
  close?: () => void
}
