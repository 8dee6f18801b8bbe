import { BEAT, BEAT_INTERVAL_MS, EVENT_NAMES, type EventName } from '#contract/events.ts'
import { EVENTS } from '#contract/routes.ts'
import { steadyMs } from '#app/ui/device/clock.ts'
import {
  noteStreamAlive,
  noteStreamLost,
  noteStreamPaused,
  noteStreamStopped,
} from './stream-health.ts'

type Listener = {
  since: string
  onEvent: (name: EventName, data: string) => void
  /** The stream is open again after a failure, so events may have been missed. */
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
 * Delivers the server's events until the returned function is called. A plain EventSource gives up
 * after any status other than 200, retries at a fixed interval, and never notices a connection that
 * died silently. A hidden tab closes its stream; when the tab is shown again, the stream starts
 * with the missed events.
 */
export function openEventStream(listener: Listener): () => void {
  const stream = {
    stop: (): void => undefined,
    retry: undefined as ReturnType<typeof setTimeout> | undefined,
    failures: 0,
    wasLost: false,
    since: listener.since,
  }
  const end = () => {
    clearTimeout(stream.retry)
    stream.retry = undefined
    stream.stop()
  }
  const connect = () => {
    end()
    stream.stop = openSource(stream.wasLost ? '' : stream.since, {
      onEvent: listener.onEvent,
      onId: (id) => (stream.since = id),
      onOpen: () => {
        if (stream.wasLost) listener.onReopened()
        Object.assign(stream, { wasLost: false, failures: 0 })
      },
      onLost: (lostAtMs) => {
        noteStreamLost(lostAtMs)
        stream.retry = setTimeout(connect, reconnectDelayMs(stream.failures, Math.random()))
        Object.assign(stream, { wasLost: true, failures: stream.failures + 1 })
      },
    })
  }
  const stopWatching = watchTab({
    onHidden: end,
    onShown: connect,
    onNudge: () => stream.retry !== undefined && connect(),
  })
  return () => {
    stopWatching()
    end()
    noteStreamStopped()
  }
}

type Tab = { onHidden: () => void; onShown: () => void; onNudge: () => void }

/**
 * Calls `onShown` at once unless the tab is hidden, and `onNudge` when a connection may be possible
 * again.
 */
function watchTab({ onHidden, onShown, onNudge }: Tab): () => void {
  let isShown = false
  let currentAtMs = steadyMs()
  const look = () => {
    const isVisible = document.visibilityState !== 'hidden'
    if (isVisible && isShown) return onNudge()
    if (isVisible) {
      noteStreamLost(currentAtMs)
      onShown()
    } else if (isShown) {
      currentAtMs = noteStreamPaused()
      onHidden()
    }
    isShown = isVisible
  }
  const nudge = () => isShown && onNudge()
  window.addEventListener('online', nudge)
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    window.removeEventListener('online', nudge)
    document.removeEventListener('visibilitychange', look)
  }
}

/**
 * Doubles with each failure. Half of it is random, so that browsers do not reconnect together after
 * a deployment.
 */
export function reconnectDelayMs(failures: number, random: number): number {
  const stepMs = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS)
  return stepMs / 2 + (random * stepMs) / 2
}

type Source = {
  onEvent: Listener['onEvent']
  onId: (id: string) => void
  onOpen: () => void
  onLost: (lostAtMs: number) => void
}

/**
 * One connection. `onLost` is called once when it breaks, is refused or falls silent; no event
 * follows.
 */
function openSource(since: string, { onEvent, onId, onOpen, onLost }: Source): () => void {
  const source = new EventSource(`${EVENTS}?since=${since}`)
  let lastEventAtMs = steadyMs()
  const alive = () => {
    lastEventAtMs = steadyMs()
    noteStreamAlive()
  }
  const look = setInterval(() => {
    const patienceMs =
      source.readyState === EventSource.OPEN ? SILENCE_PATIENCE_MS : OPENING_PATIENCE_MS
    if (steadyMs() - lastEventAtMs > patienceMs) lose(lastEventAtMs)
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
  source.addEventListener('error', () => lose(steadyMs()))
  const note = ({ lastEventId }: MessageEvent<string>) => {
    alive()
    if (lastEventId !== '') onId(lastEventId)
  }
  source.addEventListener(BEAT, note)
  for (const name of EVENT_NAMES) {
    source.addEventListener(name, (event: MessageEvent<string>) => {
      note(event)
      onEvent(name, event.data)
    })
  }
  return stop
}
