/**
 * Sheets and dialogs close on the browser's Back: each open one has an entry in the history. One
 * entry is taken back when its sheet closes in another way, replaced when the sheet leads to
 * another screen, and passed over when the sheet is gone, for instance after a reload.
 */
type Overlay = { close: () => void }

/** The part of an entry's state that counts the overlays over its screen. */
type EntryState = { overlays?: number }

/**
 * A traversal takes a few milliseconds. If its event never comes, navigation must not wait for it
 * forever.
 */
const TRAVERSAL_TIMEOUT_MS = 1_000

const open: Overlay[] = []
const waiting: (() => void)[] = []
let traversal: ReturnType<typeof setTimeout> | undefined

export function enterOverlay(overlay: Overlay): () => void {
  open.push(overlay)
  queueMicrotask(settle)
  return () => {
    open.splice(open.indexOf(overlay), 1)
    // Another overlay that opens at the same moment takes over the entry.
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
  // Runs after closing overlays have closed. An overlay that stays open gets its entry again.
  setTimeout(settle)
}

// The server renders this module too, and has no history.
if (typeof window !== 'undefined') {
  window.addEventListener('popstate', () => (traversal === undefined ? goBack() : arrive()))
  settle()
}
