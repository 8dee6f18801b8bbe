import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '#core/assert.ts'

/**
 * Sends a user's calls, one after the other, while the server is busy, until the parent thread
 * sends a message.
 */
const CALLS = [
  '/api/config',
  '/api/auth/user',
  '/api/portfolio',
  '/api/portfolio/curve?range=1M',
  '/api/crypto/prices',
  '/',
]
const PAUSE_MS = 20

const { origin, headers }: { origin: string; headers: Record<string, string> } = workerData
const times: number[] = []
const over = new AbortController()
parentPort?.once('message', () => over.abort())
for (let count = 0; !over.signal.aborted; count += 1) {
  const path = CALLS[count % CALLS.length] ?? '/'
  const begunMs = performance.now()
  const answer = await fetch(origin + path, {
    headers: { ...headers, accept: path === '/' ? 'text/html' : '*/*' },
  })
  await answer.arrayBuffer()
  times.push(performance.now() - begunMs)
  assert(answer.ok, `${path} answers ${answer.status}`)
  await delay(PAUSE_MS)
}
parentPort?.postMessage(times)
