/**
 * Sheets and dialogs close on the browser's Back, because each open one has a history entry. The
 * entry is removed when its sheet closes in another way, replaced when the sheet leads to another
 * screen, and skipped when the sheet is gone, for example after a reload.
 */
type Overlay = { close: () => void }

/** The part of an entry's state that counts the overlays over its screen. */
type EntryState = { overlays?: number }

/** Maximum wait for a traversal. It takes a few milliseconds, but its event might never arrive. */
const TRAVERSAL_TIMEOUT_MS = 1_000

const open: Overlay[] = []
const waiting: (() => void)[] = []
let traversal: ReturnType<typeof setTimeout> | undefined

export function enterOverlay(overlay: Overlay): () => void {
  open.push(overlay)
  queueMicrotask(settle)
  return () => {
    open.splice(open.indexOf(overlay), 1)
    // Delayed, because an overlay that opens at the same moment takes over the entry.
    queueMicrotask(settle)
  }
}

/**
 * Runs `act` once no traversal is under way: a navigation during one would end at the wrong entry.
 */
export function onceSettled(act: () => void): void {
  if (traversal === undefined) act()
  else waiting.push(act)
}

export function isOverlayEntry(): boolean {
  return overlaysHere() > 0
}

function overlaysHere(): number {
  return (history.state as EntryState | null)?.overlays ?? 0
}

function settle(): void {
  if (traversal !== undefined) return
  const here = overlaysHere()
  for (let overlays = here + 1; overlays <= open.length; overlays += 1) addEntry(overlays)
  if (here <= open.length) return
  traversal = setTimeout(arrive, TRAVERSAL_TIMEOUT_MS)
  history.go(open.length - here)
}

/** Bypasses the router, which would treat the entry as a change of screens. */
function addEntry(overlays: number): void {
  const state: object = { ...(history.state as EntryState | null), overlays }
  History.prototype.pushState.call(history, state, '')
}

function arrive(): void {
  clearTimeout(traversal)
  traversal = undefined
  for (const act of waiting.splice(0)) act()
  settle()
}

function goBack(): void {
  for (const overlay of open.slice(overlaysHere()).toReversed()) overlay.close()
  // Delayed until closing overlays have closed; overlays that stay open get their entry again.
  setTimeout(settle)
}

// Not on the server, which renders this module too but has no history.
if (typeof window !== 'undefined') {
  window.addEventListener('popstate', () => (traversal === undefined ? goBack() : arrive()))
  settle()
}
