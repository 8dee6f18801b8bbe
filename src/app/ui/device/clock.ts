/**
 * Milliseconds of a clock that only goes forward, for durations. Only differences on this page are
 * meaningful.
 */
export function steadyMs(): number {
  return performance.now()
}

/**
 * The device's time, to be shown or stored. Not for durations, because the clock can be set at any
 * moment.
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
 * Whether `storedMs`, a device's time that an earlier page stored, is less than `withinMs` ago.
 * False for a time in the future, because the clock was set back.
 */
export function isRecent(
  storedMs: number,
  { withinMs, now }: { withinMs: number; now: Date },
): boolean {
  const passedMs = now.getTime() - storedMs
  return passedMs >= 0 && passedMs < withinMs
}
