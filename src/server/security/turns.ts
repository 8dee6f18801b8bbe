import {
  beginNext,
  costUntilRoom,
  lackOfRoom,
  leave,
  openQueue,
  placeToYield,
  takePlace,
  type FairQueue,
  type QueueLimits,
  type QueuePlace,
} from '#core/fair-queue.ts'
import { Refusal } from '#core/refusal.ts'
import { waitText } from '#words/wait-text.ts'
import { tooManyAttempts } from './throttle.ts'

/**
 * `cost`: expected work, in any unit. A caller whose `gone` aborts leaves the queue unless the work
 * has begun.
 */
export type Turn = { owner: string; cost: number; gone?: AbortSignal | undefined }

/** A queue for work that must not run all at once. */
export type Turns = {
  /** Runs `work` in its turn. Throws a refusal with the waiting time if the queue has no room. */
  take: <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>
}

/** Weight of the latest turn in the moving average of time per cost. */
const LEARNING = 0.1

type Waiting = Map<QueuePlace, { begin: () => void; refuse: (reason: Refusal) => void }>

/** `msPerCost`: a first guess, corrected by the real durations of turns. */
export function openTurns({
  limits,
  msPerCost,
}: {
  limits: QueueLimits
  msPerCost: number
}): Turns {
  const queue = openQueue(limits)
  const waiting: Waiting = new Map()
  let pace = msPerCost
  const beginAll = () => {
    for (let place = beginNext(queue); place; place = beginNext(queue)) waiting.get(place)?.begin()
  }
  const refuse = (owner: string): Refusal => {
    const seconds = Math.max(1, (costUntilRoom(queue, owner) * pace) / 1_000)
    return lackOfRoom(queue, owner) === 'full'
      ? new Refusal('busy', {
          values: { wait: waitText(seconds), seconds: String(Math.ceil(seconds)) },
        })
      : tooManyAttempts(seconds)
  }
  const takeRoom = ({ owner, cost }: Turn): QueuePlace => {
    if (lackOfRoom(queue, owner) !== undefined) throw refuse(owner)
    const yielding = placeToYield(queue, owner)
    if (yielding) waiting.get(yielding)?.refuse(refuse(yielding.owner))
    return takePlace(queue, { owner, cost })
  }
  return {
    take: async (turn, work) => {
      const place = takeRoom(turn)
      const turnBegins = waitForTurn(place, { queue, waiting, gone: turn.gone })
      beginAll()
      await turnBegins
      const begunMs = performance.now()
      try {
        return await work()
      } finally {
        pace += LEARNING * ((performance.now() - begunMs) / turn.cost - pace)
        leave(queue, place)
        beginAll()
      }
    },
  }
}

type Waits = { queue: FairQueue; waiting: Waiting; gone: AbortSignal | undefined }

function waitForTurn(place: QueuePlace, { queue, waiting, gone }: Waits): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      waiting.delete(place)
      gone?.removeEventListener('abort', giveUp)
    }
    const begin = () => {
      end()
      resolve()
    }
    const refuse = (reason: Refusal) => {
      end()
      leave(queue, place)
      reject(reason)
    }
    const giveUp = () => refuse(new Refusal('temporarily-unavailable'))
    waiting.set(place, { begin, refuse })
    gone?.addEventListener('abort', giveUp, { once: true })
    if (gone?.aborted) giveUp()
  })
}
