/** Only one toast is shown at a time: a new one replaces the old. */
export type Toast = { id: number; title: string; description?: string; tone: 'success' | 'destructive'; open: boolean }

/** Delay until a dismissed toast is removed from memory. */
const REMOVE_DELAY_MS = 1_000_000

let current: Toast | undefined
let lastId = 0
const listeners = new Set<() => void>()

export function showToast({ title, description, tone = 'success' }: { title: string; description?: string; tone?: Toast['tone'] }): void {
  lastId += 1
  change({ id: lastId, title, tone, open: true, ...(description ? { description } : {}) })
}

export function dismissToast(id: number): void {
  if (current?.id !== id) return
  change({ ...current, open: false })
  setTimeout(() => current?.id === id && change(undefined), REMOVE_DELAY_MS)
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
