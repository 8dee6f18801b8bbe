import type { ShareLines } from './share-lines.ts'

export const SIZE = 1_080
export const EDGE = 96

/** Height of a line in font sizes. */
const LINE = 1.3

export const STAMP = { size: 40, weight: 600, height: 76, inset: 16 }
const STAMP_GAP = 40

export type ShareFont = { size: number; weight: number }
type Tone = 'ink' | 'ink2' | 'result'

/** A line of text by its upper edge. */
type ShareRow = ShareFont & { text: string; top: number; height: number; tone: Tone }

type ShareLayout = { height: number; rows: ShareRow[]; stampTop: number | null }

/**
 * The position of each line in a picture. A picture is square, but long texts make it taller: the
 * stamp is below all of them.
 */
export function shareLayout(
  lines: ShareLines,
  widthOf: (text: string, font: ShareFont) => number,
): ShareLayout {
  const rows: ShareRow[] = []
  let bottom = EDGE
  const write = (text: string, style: ShareFont & { gap: number; tone: Tone }) => {
    const { gap, ...kept } = style
    const height = style.size * LINE
    bottom += gap
    for (const part of partsOf(text, (longer) => widthOf(longer, style))) {
      rows.push({ ...kept, text: part, top: bottom, height })
      bottom += height
    }
  }
  write(lines.title, { size: 64, weight: 600, gap: 0, tone: 'ink' })
  write(lines.moment, { size: 36, weight: 400, gap: 8, tone: 'ink2' })
  write(figureOf(lines), { size: 108, weight: 600, gap: 72, tone: 'result' })
  for (const text of lines.texts) write(text, { size: 44, weight: 400, gap: 40, tone: 'ink' })
  if (lines.stamp === null)
    return { rows, stampTop: null, height: Math.max(SIZE, Math.ceil(bottom) + EDGE) }
  const stampTop = Math.max(SIZE - EDGE - STAMP.height, Math.ceil(bottom) + STAMP_GAP)
  return { rows, stampTop, height: stampTop + STAMP.height + EDGE }
}

/** Color is never the only sign: the figure has an arrow too. */
const figureOf = ({ figure, direction }: ShareLines): string =>
  direction === 0 ? figure : `${direction > 0 ? '▲' : '▼'} ${figure}`

function partsOf(text: string, widthOf: (part: string) => number): string[] {
  const parts: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${parts.at(-1) ?? ''} ${word}`.trim()
    if (parts.length > 0 && widthOf(longer) <= SIZE - 2 * EDGE) parts[parts.length - 1] = longer
    else parts.push(word)
  }
  return parts
}
