import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { assert } from '#core/assert.ts'

/**
 * Low enough that requests get a core at once, and computations still get a quarter of a busy one.
 */
const NICENESS = 5

/**
 * Answers each message to this thread with the result of `answer`. The thread has a lower priority
 * than those that answer requests.
 */
export function answerInThread<Message>(answer: (message: Message) => unknown): void {
  assert(parentPort, 'only a thread that another has begun gets messages')
  const port = parentPort
  giveWay()
  port.on('message', (message: Message) => {
    try {
      port.postMessage({ result: answer(message) })
    } catch (error) {
      port.postMessage({ error })
    }
  })
}

/** Lowers the priority of this thread. Only Linux has priorities of threads. */
function giveWay(): void {
  if (process.platform !== 'linux') return
  const [, , thread] = readlinkSync('/proc/thread-self').split('/')
  setPriority(Number(thread), NICENESS)
}
