import { Socket } from 'node:net'
import { vi } from 'vitest'

/** Resolves once the socket is closed, also by a reset, with which `once` of Node would reject. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.on('error', () => undefined).on('close', () => resolve()))
}

/**
 * Records addresses and ports to which this process tries to connect from now on, except the port
 * `except`.
 */
export function watchConnections({ except }: { except: number }): {
  attempts: string[]
  end: () => void
} {
  const attempts: string[] = []
  const connect = Socket.prototype.connect
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: unknown[]
  ) {
    this.on('connectionAttempt', (ip: string, port: number) => {
      if (port !== except) attempts.push(`${ip}:${port}`)
    })
    return Reflect.apply(connect, this, args) as Socket
  })
  return { attempts, end: () => spy.mockRestore() }
}
