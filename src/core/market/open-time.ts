/** Seconds since 1970, with 3, 6 or 9 digits more for milli-, micro- and nanoseconds. */
const NUMBER = /^(\d{9,10}(?:\d{3})?)((?:\d{3}){0,2})(?:\.0+)?$/
const SECONDS_DIGITS = 10

/** 2025-01-31T14:00:00.000Z, shorter or with a blank, 2025/01/31 02-PM; UTC without a zone. */
const DAY = /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](.*))?$/
const HOUR = /^(\d\d)(?::?(\d\d))?(?::?(\d\d))?(?:\.(\d{1,9}))?(?:-([AP])M)?(.*)$/i
const ZONE = /^ ?(?:Z|UTC|([+-]\d\d):?(\d\d))?$/i

/**
 * Milliseconds since 1970 of a time as exchanges write it; undefined for any other text, such as
 * the ambiguous 01/02/2025.
 */
export function openTimeOf(text: string): number | undefined {
  const number = NUMBER.exec(text)
  if (!number) return dateOf(text)
  const [, whole = '', rest = ''] = number
  return Number(whole.length <= SECONDS_DIGITS ? `${whole}000` : `${whole}.${rest}`)
}

function dateOf(text: string): number | undefined {
  const [found, year, month, day, time = '00'] = DAY.exec(text) ?? []
  const [, hour = '', minute = '00', second = '00', fraction = '0', half, rest = ''] =
    HOUR.exec(time) ?? []
  const zone = ZONE.exec(rest)
  if (found === undefined || hour === '' || !zone) return undefined
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  // `Date.UTC` would read 30 February as a day of March.
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day)) return undefined
  const isAfternoon = half?.toUpperCase() === 'P'
  const hours = half ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour)
  const [, ahead = '+00', minutesAhead = '00'] = zone
  const parsed = Date.parse(
    `${year}-${month}-${day}T${String(hours).padStart(2, '0')}:${minute}:${second}` +
      `.${fraction.padEnd(3, '0').slice(0, 3)}${ahead}:${minutesAhead}`,
  )
  return Number.isNaN(parsed) ? undefined : parsed
}
