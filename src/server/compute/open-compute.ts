import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { countBefore } from '#core/market/candle-series.ts'
import { Refusal } from '#core/refusal.ts'
import type { BacktestInput } from '#core/strategy/backtest.ts'
import type { ComputationName, Compute, Computations } from '#server/ports/compute.ts'
import { openTurns } from '#server/turns.ts'

/** Two at least: the evidence takes one for seconds. They give way to everything else on the machine. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1))

/** All that wait are served within seconds, before a request is given up. A form asks again while its first answers are on their way. */
const LIMITS = { underWay: THREADS, waiting: 60, waitingEach: 4 }

/** Measured: twelve pairs over three years, some 950,000 candles with holding beside them, take 54 ms. */
const MS_PER_CANDLE = 6e-5

/** The evidence passes each candle for every level, and then for every window that begins before it. */
const EVIDENCE_PASSES = 300

/** Evidence over many years takes half a minute on a slow machine. A computation that takes longer than this never ends. */
const TIME_LIMIT_MS = 240_000

/** A thread that needs more than this is ended; no computation comes near it. */
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 1_024 }

const COSTS: { [Name in ComputationName]: (input: Computations[Name]['input']) => number } = {
  backtest: (input) => 2 * candlesOf(input),
  growth: candlesOf,
  evidence: ({ markets }) => markets.reduce((sum, { series }) => sum + EVIDENCE_PASSES * series.length, 1),
}

/** Strategies are warmed up on all candles before those that are traded. */
function candlesOf({ markets, toMs }: BacktestInput): number {
  return markets.reduce((sum, { series }) => sum + countBefore(series, toMs), 1)
}

/** Opens the threads, each when it is first needed. A thread that dies fails the one computation that it ran, and is replaced by another. */
export function openCompute(): Compute {
  const turns = openTurns({ limits: LIMITS, msPerCost: MS_PER_CANDLE })
  const all = new Set<Worker>()
  const idle = new Set<Worker>()
  const begin = () => {
    const worker = new Worker(new URL('./compute-worker.ts', import.meta.url), { resourceLimits: MEMORY_LIMITS })
    // Threads alone do not keep a process that has nothing else to do.
    worker.unref()
    all.add(worker)
    // An error ends the thread, and callers wait for its exit.
    worker.on('error', () => undefined)
    worker.once('exit', () => [all, idle].forEach((workers) => workers.delete(worker)))
    return worker
  }
  const run = async <Name extends ComputationName>(name: Name, input: Computations[Name]['input']): Promise<Computations[Name]['result']> => {
    const [worker = begin()] = idle
    idle.delete(worker)
    const result = await answerOf(worker, { name, input })
    idle.add(worker)
    if ('error' in result) throw result.error
    return result.result as Computations[Name]['result']
  }
  return {
    run: (name, input, { owner, gone }) => unlessGone(turns.take({ owner, cost: COSTS[name](input), gone }, () => run(name, input)), gone),
    stop: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

type Answer = { result: unknown } | { error: unknown }

/** Candles are not copied: their columns are memory that threads share. */
function answerOf(worker: Worker, message: { name: ComputationName; input: unknown }): Promise<Answer> {
  const late = setTimeout(() => void worker.terminate(), TIME_LIMIT_MS)
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

/** A computation that has begun goes on to its end: to end its thread and begin another would take longer. */
function unlessGone<Result>(result: Promise<Result>, gone: AbortSignal | undefined): Promise<Result> {
  if (gone === undefined) return result
  return new Promise<Result>((resolve, reject) => {
    const leave = () => reject(new Refusal('temporarily-unavailable'))
    gone.addEventListener('abort', leave, { once: true })
    if (gone.aborted) leave()
    result.then(resolve, reject).finally(() => gone.removeEventListener('abort', leave))
  })
}
