/**
 * True while screens show answers kept on this device and the server has not yet confirmed who is
 * signed in.
 */
let unconfirmed = false

export function isUnconfirmed(): boolean {
  return unconfirmed
}

export function setUnconfirmed(is: boolean): void {
  unconfirmed = is
}
