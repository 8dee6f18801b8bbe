import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { assert } from '#core/assert.ts'
import { computations } from './computations.ts'

/** A request that needs a core gets it at once, and a computation still gets a quarter of a busy one. */
const NICENESS = 5

assert(parentPort, 'computations run in a thread')
const port = parentPort
giveWay()
port.on('message', ({ name, input }: { name: keyof typeof computations; input: never }) => {
  try {
    port.postMessage({ result: computations[name](input) })
  } catch (error) {
    port.postMessage({ error })
  }
})

/** Linux alone lets a thread have a priority of its own. */
function giveWay(): void {
  if (process.platform !== 'linux') return
  const [, , thread] = readlinkSync('/proc/thread-self').split('/')
  setPriority(Number(thread), NICENESS)
}
