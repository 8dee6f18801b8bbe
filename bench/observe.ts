import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '#core/assert.ts'

/** A user's calls while others flood: one after the other, for as long as the thread that began this asks. */
const CALLS = ['/api/config', '/api/auth/user', '/api/portfolio?range=1M', '/api/crypto/prices', '/']
const PAUSE_MS = 20

const { origin, headers, forMs }: { origin: string; headers: Record<string, string>; forMs: number } = workerData
const times: number[] = []
const endMs = performance.now() + forMs
for (let count = 0; performance.now() < endMs; count += 1) {
  const path = CALLS[count % CALLS.length] ?? '/'
  const begunMs = performance.now()
  const answer = await fetch(origin + path, { headers: { ...headers, accept: path === '/' ? 'text/html' : '*/*' } })
  await answer.arrayBuffer()
  times.push(performance.now() - begunMs)
  assert(answer.ok, `${path} answers ${answer.status}`)
  await delay(PAUSE_MS)
}
parentPort?.postMessage(times)
