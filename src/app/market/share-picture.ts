import type { ShareLines } from './share-lines.ts'

const SIZE = 1_080
const EDGE = 96

/** The light colors of `theme.css`. */
const COLORS = {
  paper: '#f6f4ee',
  ink: '#15130f',
  ink2: '#57524a',
  warn: '#7a4f00',
  gain: '#0a6b43',
  loss: '#b3261a',
}

/** Draws the lines as a PNG and hands it to the device, or saves it where that is not possible. */
export async function sharePicture(lines: ShareLines): Promise<void> {
  const file = new File([await draw(lines)], 'trading-bot.png', { type: 'image/png' })
  if (!navigator.canShare?.({ files: [file] })) return save(file)
  try {
    await navigator.share({ files: [file], title: lines.title })
  } catch (error) {
    // The user closed the device's choice of apps.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
  }
}

function save(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  URL.revokeObjectURL(link.href)
}

async function draw(lines: ShareLines): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = SIZE
  canvas.height = SIZE
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no pictures')
  context.fillStyle = COLORS.paper
  context.fillRect(0, 0, SIZE, SIZE)
  context.textBaseline = 'top'
  const font = getComputedStyle(document.body).fontFamily
  const write = (text: string, top: number, { size, color, weight = 400 }: Style) => {
    context.font = `${weight} ${size}px ${font}`
    context.fillStyle = color
    return linesOf(text, (part) => context.measureText(part).width).reduce((y, line) => {
      context.fillText(line, EDGE, y)
      return y + size * LINE
    }, top)
  }
  let top = write(lines.title, EDGE, { size: 64, color: COLORS.ink, weight: 600 })
  top = write(lines.moment, top + 8, { size: 36, color: COLORS.ink2 })
  top = write(figureOf(lines), top + 72, { size: 108, color: colorOf(lines), weight: 600 })
  for (const text of lines.texts) top = write(text, top + 40, { size: 44, color: COLORS.ink })
  if (lines.stamp !== null) drawStamp(context, lines.stamp, font)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  )
}

type Style = { size: number; color: string; weight?: number }

/** Height of a line in font sizes. */
const LINE = 1.3

/** Colors never stand alone: the figure has an arrow too. */
const figureOf = ({ figure, direction }: ShareLines): string =>
  direction === 0 ? figure : `${direction > 0 ? '▲' : '▼'} ${figure}`

function colorOf({ direction }: ShareLines): string {
  if (direction === 0) return COLORS.ink
  return direction > 0 ? COLORS.gain : COLORS.loss
}

function linesOf(text: string, widthOf: (part: string) => number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim()
    if (lines.length > 0 && widthOf(longer) <= SIZE - 2 * EDGE) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

function drawStamp(context: CanvasRenderingContext2D, text: string, font: string): void {
  context.font = `600 40px ${font}`
  const width = context.measureText(text).width + 48
  const top = SIZE - EDGE - 76
  context.strokeStyle = COLORS.warn
  context.fillStyle = COLORS.warn
  context.lineWidth = 4
  context.setLineDash([14, 8])
  context.strokeRect(EDGE, top, width, 76)
  context.fillText(text, EDGE + 24, top + 16)
}
