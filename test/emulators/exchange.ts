import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Dialect } from './exchange-dialect.ts'
import { DIALECTS } from './exchange-dialects.ts'
import { marketSide, type MarketSide } from './exchange-market.ts'
import { createExchangeState, type ExchangeName, type ExchangeState } from './exchange-state.ts'
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
 * A local emulator of Kraken, Binance or Coinbase: REST and websockets according to their
 * documentation and recorded answers (docs/emulators.md lists what was compared). One server, one
 * clock that tests control, one table of markets; its parts are added as sides.
 */
export async function startExchange({
  name = 'kraken',
  startMs,
  port = 0,
}: { name?: ExchangeName; startMs?: number; port?: number } = {}): Promise<Exchange> {
  const dialect = DIALECTS[name]
  const state = createExchangeState({ name, ...(startMs !== undefined && { startMs }) })
  const market = marketSide(state, dialect)
  const sides: ExchangeSide[] = [market]
  const asked = { dialect, sides }
  const server = createServer((request, response) => void answer(asked, request, response))
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    if (!market.admits()) return void socket.destroy()
    sockets.handleUpgrade(request, socket, head, (opened) =>
      listen(asked, opened, request.url ?? '/'),
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

type Serving = { dialect: Dialect; sides: readonly ExchangeSide[] }

function listen({ dialect, sides }: Serving, socket: WebSocket, path: string): void {
  socket.on('error', () => socket.terminate())
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Record<string, unknown>
    if (sides.some((side) => side.socketMessage?.(socket, message))) return
    socket.send(JSON.stringify(dialect.unknownMessage(message)))
  })
  for (const side of sides) side.socketOpened?.(socket, path)
}

async function answer(
  { dialect, sides }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = await readRequest(dialect, request)
  if (asked === undefined) return void response.writeHead(404).end('Not Found')
  for (const side of sides) {
    const answered = await side.rest(asked)
    if (answered !== undefined) return send(response, answered)
  }
  send(response, dialect.unknownCall)
}

function send(response: ServerResponse, answered: RestAnswer): void {
  if (answered === 'hang') return
  if (answered === 'drop') return void response.destroy()
  const { status = 200, body } = answered
  const [type, text] =
    typeof body === 'string' ? ['text/plain', body] : ['application/json', JSON.stringify(body)]
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(text)
}

async function readRequest(
  dialect: Dialect,
  request: IncomingMessage,
): Promise<RestRequest | undefined> {
  const url = new URL(request.url ?? '/', 'http://exchange')
  const method = request.method ?? 'GET'
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const called = dialect.route(method, url.pathname)
  return (
    called && {
      ...called,
      method,
      path: url.pathname,
      query: url.searchParams,
      search: url.search,
      body,
      headers: request.headers,
    }
  )
}
