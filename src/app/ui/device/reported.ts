import { isTimeZone } from '#words/zone.ts'

/** The device's time zone; null if it reports none that dates can be printed in. */
export function deviceTimeZone(): string | null {
  const zone = reported(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  return isTimeZone(zone) ? zone : null
}

/** The languages that the browser prefers, best first. */
export function deviceLanguages(): string[] {
  const languages = reported(() => [...navigator.languages]) ?? []
  return languages.filter((tag) => typeof tag === 'string')
}

/** A value that the browser reports. Threat: extensions and rare browsers replace what the values come from, and an error here would leave the page blank. */
function reported<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    console.warn('This browser does not describe itself.', error)
    return undefined
  }
}
