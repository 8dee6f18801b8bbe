/** True while answers on the screens come from this device and the server has not confirmed who is there. */
let unconfirmed = false

export function isUnconfirmed(): boolean {
  return unconfirmed
}

export function setUnconfirmed(is: boolean): void {
  unconfirmed = is
}
