import {
  ColorType,
  createChart,
  CrosshairMode,
  type IChartApi,
  type ISeriesApi,
  type SeriesType,
  type UTCTimestamp,
} from 'lightweight-charts'
import { locale } from '#words/figures.ts'
import type { ChartLook } from './chart-colors.ts'

export type Drawing<Data> = {
  show: (data: Data, look: ChartLook) => void
  /** Marks the point with this index by a vertical line; without an index, removes it. */
  choose: (index: number | undefined) => void
  indexAt: (x: number) => number | undefined
  scaleWidth: () => number
  remove: () => void
}

export function chartTime(timeMs: number): UTCTimestamp {
  return Math.floor(timeMs / 1_000) as UTCTimestamp
}

/** Wide enough for the longest prices, so that the scale does not widen later. */
const SCALE_WIDTH = 72

/**
 * Opens a chart without the library's gestures, which the component around it handles, and without
 * its time axis and link, which the page has as text.
 */
export function openChart(box: HTMLElement): IChartApi {
  const chart = createChart(box, {
    autoSize: true,
    handleScroll: false,
    handleScale: false,
    // The product's language, because the browser's may be a name that the library cannot parse.
    localization: { locale: locale() },
    layout: { background: { type: ColorType.Solid, color: 'transparent' }, attributionLogo: false },
    timeScale: {
      visible: false,
      fixLeftEdge: true,
      fixRightEdge: true,
      lockVisibleTimeRangeOnResize: true,
      minBarSpacing: 0.1,
    },
    rightPriceScale: {
      borderVisible: false,
      entireTextOnly: true,
      scaleMargins: { top: 0.12, bottom: 0.12 },
      minimumWidth: SCALE_WIDTH,
    },
    grid: { vertLines: { visible: false } },
  })
  chart.timeScale().subscribeSizeChange(() => chart.timeScale().fitContent())
  return chart
}

export function applyLook(chart: IChartApi, look: ChartLook): void {
  const line = { color: look.ink3, width: 1, style: 0, labelVisible: false } as const
  chart.applyOptions({
    layout: { textColor: look.ink2, fontFamily: look.fontFamily, fontSize: look.fontSize },
    grid: { horzLines: { color: look.hairline } },
    crosshair: {
      mode: CrosshairMode.Normal,
      vertLine: line,
      horzLine: { ...line, visible: false },
    },
  })
}

export function controlsOf(
  chart: IChartApi,
  {
    series,
    points,
  }: { series: ISeriesApi<SeriesType>; points: () => readonly { timeMs: number; value: number }[] },
) {
  return {
    choose: (index: number | undefined) => {
      const point = index === undefined ? undefined : points()[index]
      if (point) chart.setCrosshairPosition(point.value, chartTime(point.timeMs), series)
      else chart.clearCrosshairPosition()
    },
    indexAt: (x: number) => {
      const found = chart.timeScale().coordinateToLogical(x)
      return found === null
        ? undefined
        : Math.max(0, Math.min(points().length - 1, Math.round(found)))
    },
    scaleWidth: () => chart.priceScale('right').width(),
    remove: () => chart.remove(),
  }
}
