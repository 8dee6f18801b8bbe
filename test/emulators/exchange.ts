import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import { createExchangeState, type ExchangeState } from './exchange-state.ts'
import { marketSide, type MarketSide } from './exchange-market.ts'
import type { ExchangeSide, RestAnswer, RestRequest } from './exchange-side.ts'

export type Exchange = ExchangeState & {
  restUrl: string
  wsUrl: string
  market: MarketSide
  /** Adds another part to the running exchange. */
  add: (side: ExchangeSide) => void
  close: () => Promise<void>
}

/**
 * A local emulator of Kraken: REST and websocket v2 according to its documentation and ccxt's
 * fixtures (docs/emulators.md lists what was compared). One server, one clock that tests control,
 * one table of markets; its parts are added as sides.
 */
export async function startExchange({
  startMs,
  port = 0,
}: { startMs?: number; port?: number } = {}): Promise<Exchange> {
  const state = createExchangeState(startMs === undefined ? {} : { startMs })
  const market = marketSide(state)
  const sides: ExchangeSide[] = [market]
  const server = createServer((request, response) => void answer(sides, request, response))
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    if (!market.admits()) return void socket.destroy()
    sockets.handleUpgrade(request, socket, head, (opened) =>
      listen(sides, opened, request.url ?? '/'),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    ...state,
    restUrl: `http://${host}`,
    wsUrl: `ws://${host}`,
    market,
    add: (side) => void sides.push(side),
    close: async () => {
      for (const side of sides) side.close?.()
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listen(sides: readonly ExchangeSide[], socket: WebSocket, path: string): void {
  socket.on('error', () => socket.terminate())
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Record<string, unknown>
    if (sides.some((side) => side.socketMessage?.(socket, message))) return
    socket.send(
      JSON.stringify({
        error: 'Unsupported event',
        method: message['method'],
        req_id: message['req_id'],
        success: false,
      }),
    )
  })
  for (const side of sides) side.socketOpened?.(socket, path)
}

async function answer(
  sides: readonly ExchangeSide[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = await readRequest(request)
  if (asked === undefined) return void response.writeHead(404).end('Not Found')
  for (const side of sides) {
    const answered = await side.rest(asked)
    if (answered !== undefined) return send(response, answered)
  }
  send(response, { error: ['EGeneral:Unknown method'] })
}

function send(response: ServerResponse, answered: RestAnswer): void {
  if (answered === 'hang') return
  if (answered === 'drop') return void response.destroy()
  const { status = 200, error = [], result } = answered
  const body = error.length > 0 ? { error } : { error, result }
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(body))
}

async function readRequest(request: IncomingMessage): Promise<RestRequest | undefined> {
  const url = new URL(request.url ?? '/', 'http://exchange')
  const found = /^\/0\/(public|private)\/(\w+)$/.exec(url.pathname)
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  if (found === null) return undefined
  const access = found[1] === 'public' ? 'public' : 'private'
  return {
    access,
    name: found[2] ?? '',
    path: url.pathname,
    query: url.searchParams,
    body,
    headers: request.headers,
  }
}
