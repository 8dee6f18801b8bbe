import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

type Observer = { origin: string; headers: Record<string, string> }

/**
 * Measures a user's calls in milliseconds until `over`, in a separate thread that nothing else
 * delays.
 */
export async function observe(observer: Observer, over: Promise<unknown>): Promise<number[]> {
  const worker = new Worker(new URL('./observe.ts', import.meta.url), { workerData: observer })
  const answered = once(worker, 'message')
  await over
  worker.postMessage('over')
  const [times]: number[][] = await answered
  return times ?? []
}
