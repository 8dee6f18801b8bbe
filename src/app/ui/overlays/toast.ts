import { steadyMs } from '#app/ui/device/clock.ts'
import { t } from '#words/words.ts'
import { PRESS_LOST } from '#app/ui/frame/interactive.ts'

/** Only one toast is shown at a time: a new one replaces the old. */
export type Toast = {
  id: number
  title: string
  description?: string
  tone: 'success' | 'destructive'
  open: boolean
}

const AUTO_CLOSE_MS = 5_000
/** Delay until a dismissed toast is removed from memory. */
const REMOVE_DELAY_MS = 1_000_000

let current: Toast | undefined
let lastId = 0
let clock:
  | {
      id: number
      leftMs: number
      startedAtMs: number
      timer: ReturnType<typeof setTimeout> | undefined
    }
  | undefined
const listeners = new Set<() => void>()

export function showToast({
  title,
  description,
  tone = 'success',
}: {
  title: string
  description?: string
  tone?: Toast['tone']
}): void {
  lastId += 1
  holdToast()
  change({ id: lastId, title, tone, open: true, ...(description ? { description } : {}) })
}

export function dismissToast(id: number): void {
  if (current?.id !== id || !current.open) return
  change({ ...current, open: false })
  setTimeout(() => current?.id === id && change(undefined), REMOVE_DELAY_MS)
}

/**
 * Starts or continues the time until the toast closes by itself. Callers must call it once the
 * toast is visible.
 */
export function runToast(id: number): void {
  if (clock?.timer !== undefined && clock.id === id) return
  const leftMs = clock?.id === id ? clock.leftMs : AUTO_CLOSE_MS
  clock = { id, leftMs, startedAtMs: steadyMs(), timer: setTimeout(() => dismissToast(id), leftMs) }
}

export function holdToast(): void {
  if (clock?.timer === undefined) return
  clearTimeout(clock.timer)
  clock = {
    ...clock,
    leftMs: Math.max(0, clock.leftMs - (steadyMs() - clock.startedAtMs)),
    timer: undefined,
  }
}

export function currentToast(): Toast | undefined {
  return current
}

export function onToastChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: Toast | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** Reports a press from before the app had loaded that cannot be replayed. */
export function tellLostPress(): void {
  document.addEventListener(PRESS_LOST, () =>
    showToast({
      title: t('Please press again'),
      description: t('The page was still loading.'),
      tone: 'destructive',
    }),
  )
}
