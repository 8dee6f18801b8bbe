import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '#server/config.ts'
import { placesPerAddress } from './places.ts'

/**
 * Threat: a single client could open all the sockets that this process may have. Behind a proxy
 * every socket is the proxy's, which has limits of its own.
 */
export function capSockets(
  server: Server,
  { TRUST_PROXY, SOCKETS_PER_ADDRESS }: Pick<Config, 'TRUST_PROXY' | 'SOCKETS_PER_ADDRESS'>,
): void {
  if (TRUST_PROXY !== undefined) return
  const take = placesPerAddress(SOCKETS_PER_ADDRESS)
  server.on('connection', (socket: Socket) => {
    const giveBack = take(networkOf(socket.remoteAddress ?? ''))
    if (giveBack === undefined) socket.destroy()
    else socket.once('close', giveBack)
  })
}

/**
 * One client's address: of IPv6 the first 64 bits, since whoever has one address has all that begin
 * so.
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
