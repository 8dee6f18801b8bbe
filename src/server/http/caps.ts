import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '#server/settings/config.ts'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import { waitText } from '#words/wait-text.ts'
import { CARD_WEBHOOK } from '#server/deposits/receive-webhook.ts'

const SOCKETS_PER_ADDRESS = 500

/**
 * Limits sockets per client. Threat: a single client opens all sockets of this process. There is no
 * limit behind a proxy: all sockets are the proxy's, and it has limits of its own.
 */
export function capSockets(server: Server, { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): void {
  if (TRUST_PROXY !== undefined) return
  const take = placesPerAddress(SOCKETS_PER_ADDRESS)
  server.on('connection', (socket: Socket) => {
    const giveBack = take(networkOf(socket.remoteAddress ?? ''))
    if (giveBack === undefined) socket.destroy()
    else socket.once('close', giveBack)
  })
}

/**
 * A client's address; of IPv6 only the first 64 bits, because a client has all addresses with that
 * prefix.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = (text = ''): string[] => (text === '' ? [] : text.split(':'))
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/**
 * Limits concurrent use per address. Takes a place and returns its release; undefined if `most`
 * places are taken.
 */
function placesPerAddress(most: number): (address: string) => (() => void) | undefined {
  const taken = new Map<string, number>()
  return (address) => {
    const count = (taken.get(address) ?? 0) + 1
    if (count > most) return undefined
    taken.set(address, count)
    return () => {
      const left = (taken.get(address) ?? 1) - 1
      if (left === 0) taken.delete(address)
      else taken.set(address, left)
    }
  }
}

/**
 * Threat: a flood from one address. A refusal by user needs a look-up of the session, which delays
 * everybody else. So a request that changes or computes something is refused at once while too many
 * from its address are unanswered. Requests count from the end of their body, because endless
 * bodies would block others at the same address. Messages of the card provider are exempt, because
 * they are signed and come from few addresses.
 */
export function capActions(
  app: FastifyInstance,
  { ACTIONS_PER_ADDRESS }: Pick<Config, 'ACTIONS_PER_ADDRESS'>,
): void {
  const take = placesPerAddress(ACTIONS_PER_ADDRESS)
  app.addHook('preValidation', (request, reply, done) => {
    if (
      request.method === 'GET' ||
      request.method === 'HEAD' ||
      request.routeOptions.url === CARD_WEBHOOK
    )
      return done()
    const giveBack = take(networkOf(request.ip))
    // The wait is short, because nearly every action takes less than a second.
    if (giveBack === undefined)
      throw new Refusal('busy', { values: { wait: waitText(1), seconds: '1' } })
    reply.raw.once('close', giveBack)
    done()
  })
}
