import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Agent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { CERTIFICATE, PRIVATE_KEY } from './push-certificate.ts'
import { LoopbackAgent } from './push-service.ts'

export type ReceivedWebhook = {
  path: string
  headers: Record<string, string>
  body: string
}

/**
 * 'silence' never answers. 'flood' answers 200, and a body without end. 'upgrade' switches to
 * another protocol.
 */
export type WebhookReply = number | 'silence' | 'flood' | 'upgrade'

/** A user's own program on loopback, with TLS, to which every name leads. */
export type WebhookReceiver = {
  agent: Agent
  port: number
  received: ReceivedWebhook[]
  answerWith: (reply: WebhookReply, headers?: Record<string, string>) => void
  close: () => Promise<void>
}

export const RECEIVER = 'https://hooks.bots-receiver.com'

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'

function flood(response: ServerResponse): void {
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(100_000)));
  }
  response.on('drain', write)
  write()
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  let given: { reply: WebhookReply; headers?: Record<string, string> | undefined } = { reply: 200 }
  const server = createServer(
    { cert: CERTIFICATE, key: PRIVATE_KEY },
    async (request, response) => {
      const { reply, headers } = given
      received.push({
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: await text(request),
      })
      if (reply === 'silence') return
      if (reply === 'upgrade') {
        request.socket.write(UPGRADE)
        return
      }
      response.on('error', () => undefined).writeHead(reply === 'flood' ? 200 : reply, headers)
      if (reply === 'flood') flood(response)
      else response.end('x'.repeat(1_000))
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    agent: new LoopbackAgent(port),
    port,
    received,
    answerWith: (reply, headers) => {
      given = { reply, headers }
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
