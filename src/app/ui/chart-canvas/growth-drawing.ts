import { LineSeries, LineStyle } from 'lightweight-charts'
import { applyLook, chartTime, controlsOf, openChart, type Drawing } from './drawing.ts'

export type DrawnPoint = { timeMs: number; value: number }
export type GrowthData = { own: readonly DrawnPoint[]; other: readonly DrawnPoint[]; scaleText: (value: number) => string }

/** Two lines on one scale from the same start: one drawn through, the other dashed. Both have the same times. */
export function drawGrowth(box: HTMLElement): Drawing<GrowthData> {
  const chart = openChart(box)
  const quiet = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false, lineWidth: 2 } as const
  const other = chart.addSeries(LineSeries, { ...quiet, lineStyle: LineStyle.Dashed })
  const own = chart.addSeries(LineSeries, { ...quiet, crosshairMarkerVisible: true })
  const start = own.createPriceLine({ price: 0, lineStyle: LineStyle.Dotted, lineWidth: 1, axisLabelVisible: false })
  let points: readonly DrawnPoint[] = []
  return {
    ...controlsOf(chart, { series: own, points: () => points }),
    show: (data, look) => {
      points = data.own
      applyLook(chart, look)
      const priceFormat = { type: 'custom', minMove: 0.01, formatter: data.scaleText } as const
      own.applyOptions({ color: look.ink, priceFormat })
      other.applyOptions({ color: look.accent, priceFormat })
      start.applyOptions({ color: look.ink3 })
      own.setData(data.own.map(({ timeMs, value }) => ({ time: chartTime(timeMs), value })))
      other.setData(data.other.map(({ timeMs, value }) => ({ time: chartTime(timeMs), value })))
      chart.timeScale().fitContent()
    },
  }
}
