/**
 * Milliseconds of a clock that only goes forward: for how long something takes. Only its
 * differences mean something, and only on this page.
 */
export function steadyMs(): number {
  return performance.now()
}

/**
 * The device's time, to be shown or stored. It can be set back or forward at any moment, so no
 * duration is measured with it.
 */
export function deviceTime(): Date {
  return new Date()
}

/** The device's time when the steady clock showed `ms`. */
export function deviceTimeAt(ms: number): Date {
  return new Date(deviceTime().getTime() - (steadyMs() - ms))
}

/** The steady clock's value at a time of the device; now, if that is in the future. */
export function steadyAt(deviceMs: number): number {
  return steadyMs() - Math.max(0, deviceTime().getTime() - deviceMs)
}

/**
 * Whether `storedMs`, a device's time that an earlier page stored, is less than `withinMs` ago. One
 * in the future, by a clock that was set back, is not.
 */
export function isRecent(
  storedMs: number,
  { withinMs, now }: { withinMs: number; now: Date },
): boolean {
  const passedMs = now.getTime() - storedMs
  return passedMs >= 0 && passedMs < withinMs
}
