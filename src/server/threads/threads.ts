import { Worker } from 'node:worker_threads'
import { Refusal } from '#core/refusal.ts'

/** Threads that run one script, each begun when it is first needed. */
type Threads<Message> = {
  /**
   * Sends a message to an idle or new thread; callers must limit how many run. Throws the thread's
   * errors, and 'temporarily-unavailable' if the thread dies, which is then replaced.
   */
  run: (message: Message) => Promise<unknown>
  /** Terminates all threads. Running calls fail. */
  stop: () => Promise<void>
}

/**
 * `script`: must call `answerInThread`. A thread that does not answer within `timeLimitMs` is
 * terminated.
 */
export function openThreads<Message>({
  script,
  timeLimitMs,
  memoryLimitMb,
}: {
  script: URL
  timeLimitMs: number
  memoryLimitMb: number
}): Threads<Message> {
  const all = new Set<Worker>()
  const idle = new Set<Worker>()
  const begin = () => {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb } })
    all.add(worker)
    // Ignored, because an error ends the thread, and callers wait for its exit.
    worker.on('error', () => undefined)
    worker.once('exit', () => [all, idle].forEach((workers) => workers.delete(worker)))
    return worker
  }
  return {
    run: async (message) => {
      const [worker = begin()] = idle
      idle.delete(worker)
      // Only a busy thread keeps the process running.
      worker.ref()
      const answer = await answerOf(worker, message, timeLimitMs)
      worker.unref()
      idle.add(worker)
      if ('error' in answer) throw answer.error
      return answer.result
    },
    stop: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

type Answer = { result: unknown } | { error: unknown }

function answerOf(worker: Worker, message: unknown, timeLimitMs: number): Promise<Answer> {
  const late = setTimeout(() => void worker.terminate(), timeLimitMs)
  late.unref()
  const forget: (() => void)[] = [() => clearTimeout(late)]
  const answer = new Promise<Answer>((resolve, reject) => {
    const died = () => reject(new Refusal('temporarily-unavailable'))
    worker.once('message', resolve).once('exit', died)
    forget.push(() => worker.off('message', resolve).off('exit', died))
    worker.postMessage(message)
  })
  return answer.finally(() => forget.forEach((act) => act()))
}
