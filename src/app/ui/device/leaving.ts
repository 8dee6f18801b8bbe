/** True once this document is being replaced by a new one: a toast shown from then on is lost. */
let leaving = false

export function isLeaving(): boolean {
  return leaving
}

export function reloadDocument(): void {
  leaving = true
  location.reload()
}
