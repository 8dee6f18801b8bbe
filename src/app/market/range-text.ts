import { msg, say } from '#words/words.ts'
import type { Range } from '#app/api/queries.ts'

const TEXTS: Record<Range, string> = {
  '1D': msg('1D'),
  '1W': msg('1W'),
  '1M': msg('1M'),
  '1Y': msg('1Y'),
  All: msg('All|time'),
}

/** A range of time as the tabs of charts show it. */
export function rangeText(range: Range): string {
  return say(TEXTS[range])
}
