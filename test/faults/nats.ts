import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { freePort } from '../running-server.ts'
import { until } from './processes.ts'

/** A NATS server on loopback, which tests can kill, freeze and start again at its address. */
export type Nats = {
  url: string
  start: () => Promise<void>
  kill: () => Promise<void>
  freeze: () => void
}

const READY_TIMEOUT_MS = 180_000
const PATHS = { PATH: `${process.env['PATH']}:/usr/sbin` }

/** Whether this machine has it: Debian's package is `nats-server`. */
export function hasNats(): boolean {
  return spawnSync('nats-server', ['--version'], { stdio: 'ignore', env: PATHS }).status === 0
}

/** Whether this test cannot run here, which is printed: this machine has no NATS server. */
export function lacksNats({ name }: { name: string }): boolean {
  if (!hasNats()) console.info(`nats-server is not installed, so this was not tried: ${name}`)
  return !hasNats()
}

const PASSWORD = 'p@ss word'

export async function startNats(): Promise<Nats> {
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn('nats-server', ['--addr', '127.0.0.1', '--port', String(port), '--user', 'bots', '--pass', PASSWORD], { stdio: 'ignore', env: PATHS })
    await until(() => accepts(port), { timeoutMs: READY_TIMEOUT_MS, complaint: () => 'nats-server does not answer' })
  }
  const kill = async () => {
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    child = undefined
  }
  await start()
  return { url: `nats://bots:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`, start, kill, freeze: () => void child?.kill('SIGSTOP') }
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port })
  try {
    await once(socket, 'data')
    return true
  } catch {
    // It is not listening yet.
    return false
  } finally {
    socket.destroy()
  }
}
