import {
  CandlestickSeries,
  createSeriesMarkers,
  LineSeries,
  LineStyle,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts'
import { applyLook, chartTime, controlsOf, openChart, type Drawing } from './drawing.ts'

export type DrawnCandle = { timeMs: number; open: number; high: number; low: number; close: number }

export type DrawnTrade = { timeMs: number; side: 'buy' | 'sell' }

/** Empty if there is no forecast. */
export type DrawnForecast = readonly { timeMs: number; low: number; high: number }[]

export type CandleData = {
  candles: readonly DrawnCandle[]
  forecast: DrawnForecast
  trades: readonly DrawnTrade[]
  /** Prices marked by lines across the whole chart. */
  prices: readonly number[]
  scaleText: (price: number) => string
  step: number
}

/**
 * Draws candles: hollow if the price rose, filled if it fell, so that color is not needed. Arrows
 * up are purchases, arrows down are sales.
 */
export function drawCandles(box: HTMLElement): Drawing<CandleData> {
  const chart = openChart(box)
  const series = chart.addSeries(CandlestickSeries, {
    priceLineVisible: false,
    lastValueVisible: false,
  })
  const markers = createSeriesMarkers(series, [])
  const ends = { low: openLine(chart), high: openLine(chart) }
  let candles: readonly DrawnCandle[] = []
  let lines: readonly IPriceLine[] = []
  return {
    ...controlsOf(chart, {
      series,
      points: () => candles.map(({ timeMs, close }) => ({ timeMs, value: close })),
    }),
    show: (data, look) => {
      candles = data.candles
      applyLook(chart, look)
      series.applyOptions({
        upColor: 'transparent',
        downColor: look.loss,
        borderUpColor: look.gain,
        borderDownColor: look.loss,
        wickUpColor: look.gain,
        wickDownColor: look.loss,
        priceFormat: { type: 'custom', minMove: data.step, formatter: data.scaleText },
      })
      series.setData(
        candles.map(({ timeMs, ...prices }) => ({ time: chartTime(timeMs), ...prices })),
      )
      markers.setMarkers(data.trades.map((trade) => markerOf(trade, look.accent)))
      for (const line of lines) series.removePriceLine(line)
      lines = data.prices.map((price) =>
        series.createPriceLine({
          price,
          color: look.accent,
          lineStyle: LineStyle.Dotted,
          lineWidth: 1,
          axisLabelVisible: true,
        }),
      )
      for (const end of ['low', 'high'] as const) {
        ends[end].applyOptions({ color: look.ink })
        ends[end].setData(
          data.forecast.map(({ timeMs, [end]: value }) => ({ time: chartTime(timeMs), value })),
        )
      }
      chart.timeScale().fitContent()
    },
  }
}

function openLine(chart: IChartApi): ISeriesApi<'Line'> {
  return chart.addSeries(LineSeries, {
    lineStyle: LineStyle.Dashed,
    lineWidth: 2,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
  })
}

function markerOf({ timeMs, side }: DrawnTrade, color: string): SeriesMarker<Time> {
  const time = chartTime(timeMs)
  return side === 'buy'
    ? { time, color, position: 'belowBar', shape: 'arrowUp' }
    : { time, color, position: 'aboveBar', shape: 'arrowDown' }
}
