const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
const momentFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** 'Nov 21, 2026', in the reader's own time zone. */
export function dayText(timestamp: string): string {
  return dayFormat.format(new Date(timestamp))
}

const utcDayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** 'Nov 21, 2026' in UTC: the same for every reader, and for the server that renders a page before anyone reads it. */
export function utcDayText(timestamp: string): string {
  return utcDayFormat.format(new Date(timestamp))
}

/** 'Nov 21, 2026, 14:05', in the reader's own time zone. */
export function momentText(timestamp: string): string {
  return momentFormat.format(new Date(timestamp))
}

const clockFormat = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** '14:05' today, with the date before it on any other day. */
export function clockText(at: Date): string {
  return at.toDateString() === new Date().toDateString() ? clockFormat.format(at) : momentFormat.format(at)
}
