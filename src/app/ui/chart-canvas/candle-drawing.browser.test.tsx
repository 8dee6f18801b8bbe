import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../../../../test/parts/show.ts'
import { drawCandles } from './candle-drawing.ts'
import { lookOf } from './chart-colors.ts'

const HOUR_MS = 3_600_000
/** Margin above and below the candles, as a part of the height. */
const MARGIN = 0.12

/** Rows of the picture, as parts of its height, with pure blue: no candle or grid has it. */
function blueRows(box: HTMLElement): number[] {
  const rows = new Set<number>()
  for (const canvas of box.querySelectorAll('canvas')) {
    const { width, height } = canvas
    if (width < 200 || height < 200) continue
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at] === 0 && pixels[at + 1] === 0 && pixels[at + 2] === 255 && pixels[at + 3])
        rows.add(Math.round((100 * Math.floor(at / 4 / width)) / height))
  }
  return [...rows].toSorted((one, other) => one - other)
}

test('the next prices are drawn as lines at their height, and removed again', async () => {
  show(<div data-testid="box" style={{ width: 400, height: 300 }} />)
  const box = page.getByTestId('box').element() as HTMLElement
  const drawing = drawCandles(box)
  const candles = Array.from({ length: 12 }, (_, hour) => ({
    timeMs: hour * HOUR_MS,
    open: 95,
    high: 110,
    low: 90,
    close: 105,
  }))
  const look = { ...lookOf(box), accent: 'rgb(0, 0, 255)' }
  const showPrices = (prices: readonly number[]) =>
    drawing.show({ candles, forecast: [], trades: [], prices, scaleText: String, step: 0.01 }, look)
  const heightOf = (price: number) =>
    Math.round(100 * (MARGIN + ((1 - 2 * MARGIN) * (110 - price)) / 20))
  showPrices([108, 92])
  await expect.poll(() => blueRows(box)).toEqual([heightOf(108), heightOf(92)])
  showPrices([100])
  await expect.poll(() => blueRows(box)).toEqual([heightOf(100)])
  showPrices([])
  await expect.poll(() => blueRows(box)).toEqual([])
  drawing.remove()
})
