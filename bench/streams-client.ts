import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * Browsers that read what they are sent and do nothing with it, in a process of their own: the
 * host, the port and their number are arguments.
 */

export async function openStreams({
  host,
  port,
  count,
}: {
  host: string
  port: number
  count: number
}): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let number = 0; number < count; number += 1) sockets.push(await openStream({ host, port }))
  return sockets
}

async function openStream({ host, port }: { host: string; port: number }): Promise<Socket> {
  const socket = connect(port, host)
  socket.write('GET / HTTP/1.1\r\nhost: bench\r\naccept-encoding: gzip\r\n\r\n')
  await once(socket, 'data')
  return socket.resume()
}

if (import.meta.main) {
  const [host = '', port, count] = process.argv.slice(2)
  await openStreams({ host, port: Number(port), count: Number(count) })
  process.stdout.write('open\n')
}
