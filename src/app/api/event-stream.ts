import { BEAT, BEAT_INTERVAL_MS, EVENT_NAMES, type EventName } from '#contract/events.ts'
import { plainRoutes } from '#contract/routes.ts'
import { noteStreamAlive, noteStreamLost, noteStreamStopped } from './stream-health.ts'

type Listener = {
  /** When the page's answers were read. Events since then are sent first. */
  since: string
  onEvent: (name: EventName, data: string) => void
  /** The stream is open again after a failure: events may have been missed. */
  onReopened: () => void
}

const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 30_000

/** Limit on the time until the server starts its answer. */
const OPENING_PATIENCE_MS = 10_000
/** After two missed beats the connection counts as lost, even without an error. */
const SILENCE_PATIENCE_MS = 2.5 * BEAT_INTERVAL_MS
const LOOK_EVERY_MS = 5_000

/**
 * Delivers the server's events until the returned function is called, reconnecting as needed. A plain EventSource gives up after any
 * status other than 200, retries at a fixed interval, and never notices a connection that died silently.
 */
export function openEventStream(listener: Listener): () => void {
  let stopSource = (): void => undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let wasLost = false
  const connect = (since: string) => {
    clearTimeout(retry)
    retry = undefined
    stopSource()
    stopSource = openSource(since, {
      onEvent: listener.onEvent,
      onOpen: () => {
        if (wasLost) listener.onReopened()
        wasLost = false
        failures = 0
      },
      onLost: (lostAtMs) => {
        wasLost = true
        noteStreamLost(lostAtMs)
        retry = setTimeout(connect, reconnectDelayMs(failures, Math.random()), '')
        failures += 1
      },
    })
  }
  const connectNow = () => {
    if (retry === undefined || document.visibilityState === 'hidden') return
    connect('')
  }
  window.addEventListener('online', connectNow)
  document.addEventListener('visibilitychange', connectNow)
  noteStreamLost(Date.now())
  connect(listener.since)
  return () => {
    window.removeEventListener('online', connectNow)
    document.removeEventListener('visibilitychange', connectNow)
    clearTimeout(retry)
    stopSource()
    noteStreamStopped()
  }
}

/** Doubles with each failure. Half of it is random, so that browsers do not all reconnect at the same moment after a deployment. */
export function reconnectDelayMs(failures: number, random: number): number {
  const stepMs = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS)
  return stepMs / 2 + (random * stepMs) / 2
}

type Source = { onEvent: Listener['onEvent']; onOpen: () => void; onLost: (lostAtMs: number) => void }

/** One connection. `onLost` is called once, whether it broke, was refused or fell silent; no event follows. */
function openSource(since: string, { onEvent, onOpen, onLost }: Source): () => void {
  const source = new EventSource(`${plainRoutes.events}?since=${since}`)
  let lastEventAtMs = Date.now()
  const alive = () => {
    lastEventAtMs = Date.now()
    noteStreamAlive()
  }
  const look = setInterval(() => {
    const patienceMs = source.readyState === EventSource.OPEN ? SILENCE_PATIENCE_MS : OPENING_PATIENCE_MS
    if (Date.now() - lastEventAtMs > patienceMs) lose(lastEventAtMs)
  }, LOOK_EVERY_MS)
  const stop = () => {
    clearInterval(look)
    source.close()
  }
  const lose = (atMs: number) => {
    stop()
    onLost(atMs)
  }
  source.addEventListener('open', () => {
    alive()
    onOpen()
  })
  source.addEventListener('error', () => lose(Date.now()))
  source.addEventListener(BEAT, alive)
  for (const name of EVENT_NAMES) {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      alive()
      onEvent(name, data)
    })
  }
  return stop
}
