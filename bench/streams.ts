import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { report } from './report.ts'
import type { StreamFigures } from './streams-server.ts'

/**
 * The cost of events on one web process with BENCH_STREAMS open browsers, which read and discard
 * them: an event with prices, and an event of a user without a stream here.
 */

const STREAMS = Number(process.env['BENCH_STREAMS'] ?? 4_000)

type Message = { port?: number; figures?: StreamFigures }

export async function run(): Promise<void> {
  const server = fork(fileURLToPath(new URL('streams-server.ts', import.meta.url)))
  const next = async <Name extends keyof Message>(
    name: Name,
  ): Promise<NonNullable<Message[Name]>> => {
    for (;;) {
      const [message] = (await once(server, 'message')) as [Message]
      const found = message[name]
      if (found !== undefined) return found
    }
  }
  const port = await next('port')
  const sockets: Socket[] = []
  for (let number = 0; number < STREAMS; number += 1) sockets.push(await openStream(port))
  server.send('measure')
  tell(await next('figures'))
  sockets.forEach((socket) => socket.destroy())
  server.disconnect()
}

async function openStream(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: bench\r\naccept-encoding: gzip\r\n\r\n')
  await once(socket, 'data')
  return socket.resume()
}

function tell({
  bytesFast,
  bytesLive,
  bytesText,
  micros,
  microsOfBareWrite,
  microsOfFirst,
  microsPerStranger,
  megabytes,
}: StreamFigures): void {
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(2)} kB`
  report({
    name: 'price event of a live market, as sent',
    measured: kilobytes(bytesLive),
    target: { text: '≤ 0.8 kB', met: bytesLive <= 800 },
  })
  report({
    name: 'price event of a market at 3,600 times the speed, two closes of each coin',
    measured: `${kilobytes(bytesFast)}, ${kilobytes(bytesText)} as text`,
    target: { text: '≤ 0.8 kB', met: bytesFast <= 800 },
  })
  report({
    name: `CPU of a price event for each of ${STREAMS} streams`,
    measured:
      `${micros.mean.toFixed(1)} µs, ${micros.system.toFixed(1)} µs of it in the system; the ` +
      `median event ${micros.median.toFixed(1)} µs, the first six ${microsOfFirst.toFixed(1)} ` +
      'µs',
    ratio:
      `${(micros.median / microsOfBareWrite.median).toFixed(1)} × the median bare write to ` +
      `the same sockets, ${microsOfBareWrite.median.toFixed(1)} µs`,
    target: { text: '≤ 8 µs', met: micros.mean <= 8 },
  })
  report({
    name: 'CPU of an event that concerns nobody here',
    measured: `${microsPerStranger.toFixed(1)} µs`,
    target: { text: '≤ 5 µs', met: microsPerStranger <= 5 },
  })
  report({ name: 'memory of the process', measured: `${megabytes.toFixed(0)} MB` })
}
