import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { CERTIFICATE, PRIVATE_KEY } from './push-certificate.ts'

export type ReceivedPush = {
  path: string
  topic: string
  ttl: string
  authorization: string
  message: { title: string; text: string; tag: string; path: string }
}

/** A browser's subscription at the push service, with the keys that only the browser has. */
export type TestBrowser = { endpoint: string; p256dh: string; auth: string; end: () => void }

/** Its name; the certificate is for localhost. */
export const PUSH_HOST = 'push.example'

/** Connects every name to the service on loopback. */
export class LoopbackAgent extends Agent {
  readonly #port: number

  constructor(port: number) {
    super({ ca: CERTIFICATE, servername: 'localhost' })
    this.#port = port
  }

  override createConnection(
    ...[options, callback]: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    return super.createConnection(
      { ...options, host: '127.0.0.1', port: this.#port, servername: 'localhost' },
      callback,
    )
  }
}

/**
 * A real push endpoint on loopback: TLS, and the encryption of RFC 8291, which it opens with the
 * browser's key.
 */
export type PushService = {
  agent: Agent
  browser: () => TestBrowser
  received: ReceivedPush[]
  /** Answers all messages so, until it is called without a status. */
  answerWith: (status?: number, headers?: Record<string, string>) => void
  close: () => Promise<void>
}

type Secrets = { curve: ReturnType<typeof createECDH>; auth: Buffer }
type Keys = Secrets & { ended: boolean }

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Keys>()
  const received: ReceivedPush[] = []
  let given: { status: number; headers: Record<string, string> } | undefined
  const answer = async (request: IncomingMessage): Promise<number> => {
    const body = await buffer(request)
    const path = request.url ?? ''
    const keys = browsers.get(path)
    if (given) return given.status
    if (!keys || keys.ended) return 410
    const header = (name: string) => String(request.headers[name] ?? '')
    received.push({
      path,
      topic: header('topic'),
      ttl: header('ttl'),
      authorization: header('authorization'),
      message: JSON.parse(decrypt(body, keys)),
    })
    return 201
  }
  const server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (request, response) => {
    void answer(request).then((status) => response.writeHead(status, given?.headers).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    agent: new LoopbackAgent(port),
    received,
    browser: () => {
      const curve = createECDH('prime256v1')
      const keys: Keys = { curve, auth: randomBytes(16), ended: false }
      const p256dh = curve.generateKeys().toString('base64url')
      const path = `/push/${randomBytes(8).toString('hex')}`
      browsers.set(path, keys)
      return {
        endpoint: `https://${PUSH_HOST}${path}`,
        p256dh,
        auth: keys.auth.toString('base64url'),
        end: () => void (keys.ended = true),
      }
    },
    answerWith: (status, headers = {}) => {
      given = status === undefined ? undefined : { status, headers }
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

/** Source: RFC 8188 and RFC 8291, one record. */
export function decrypt(body: Buffer, { curve, auth }: Secrets): string {
  const [salt, length] = [body.subarray(0, 16), body[20] ?? 0]
  const sender = body.subarray(21, 21 + length)
  const sealed = body.subarray(21 + length)
  const shared = curve.computeSecret(sender)
  const derive = (
    key: Uint8Array,
    from: { salt: Uint8Array; info: Uint8Array | string; bytes: number },
  ) => Buffer.from(hkdfSync('sha256', key, from.salt, from.info, from.bytes))
  const secret = derive(shared, {
    salt: auth,
    info: Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender]),
    bytes: 32,
  })
  const key = derive(secret, { salt, info: 'Content-Encoding: aes128gcm\0', bytes: 16 })
  const nonce = derive(secret, { salt, info: 'Content-Encoding: nonce\0', bytes: 12 })
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const opened = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return opened.subarray(0, opened.lastIndexOf(2)).toString('utf8')
}
