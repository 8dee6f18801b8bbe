import { EDGE, SIZE, shareLayout, STAMP, type ShareFont } from './share-layout.ts'
import type { ShareLines } from './share-lines.ts'

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
    const name = error instanceof DOMException ? error.name : ''
    // Too long after the press for this device, or not allowed on this page.
    if (name === 'NotAllowedError') return save(file)
    // The user closed the device's choice of apps.
    if (name !== 'AbortError') throw error
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
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no pictures')
  const family = getComputedStyle(document.body).fontFamily
  const fontOf = ({ weight, size }: ShareFont) => `${weight} ${size}px ${family}`
  const { height, rows, stampTop } = shareLayout(lines, (text, font) => {
    context.font = fontOf(font)
    return context.measureText(text).width
  })
  canvas.width = SIZE
  canvas.height = height
  context.fillStyle = COLORS.paper
  context.fillRect(0, 0, SIZE, height)
  context.textBaseline = 'top'
  for (const { text, top, tone, ...font } of rows) {
    context.font = fontOf(font)
    context.fillStyle = tone === 'result' ? colorOf(lines) : COLORS[tone]
    context.fillText(text, EDGE, top)
  }
  context.font = fontOf(STAMP)
  if (lines.stamp !== null && stampTop !== null) drawStamp(context, lines.stamp, stampTop)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  )
}

function colorOf({ direction }: ShareLines): string {
  if (direction === 0) return COLORS.ink
  return direction > 0 ? COLORS.gain : COLORS.loss
}

function drawStamp(context: CanvasRenderingContext2D, text: string, top: number): void {
  const width = context.measureText(text).width + 48
  context.strokeStyle = COLORS.warn
  context.fillStyle = COLORS.warn
  context.lineWidth = 4
  context.setLineDash([14, 8])
  context.strokeRect(EDGE, top, width, STAMP.height)
  context.fillText(text, EDGE + 24, top + STAMP.inset)
}
