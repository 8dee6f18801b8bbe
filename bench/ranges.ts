import { coefficientsOf, swingAfter } from '#core/forecast/model.ts'
import { forecastRows } from '#core/forecast/rows.ts'
import { walkForward } from '#core/forecast/walk-forward.ts'
import { shippedMarkets } from '#server/evidence/range-model-files.ts'
import { milliseconds, report } from './report.ts'

/** CPU of the range model, on the candles that ship: `npm run bench -- ranges`. */

export function run(): void {
  const [market, ...others] = shippedMarkets()
  if (!market) throw new Error('no candles ship')
  const { series } = market
  const rows = forecastRows([market, ...others])
  const [model] = walkForward(rows).models.slice(-1)
  if (!model) throw new Error('no model')
  const known = { series, count: series.length }
  show('forecast of a pair', { ms: cpuMs(() => swingAfter(model, known), 200), mostMs: 10 })
  const fit = `coefficients from ${rows.length} ready rows`
  show(fit, { ms: cpuMs(() => coefficientsOf(rows), 200), mostMs: 50 })
  const all = 'models and forecasts of all months'
  show(all, { ms: cpuMs(() => walkForward(rows), 3), mostMs: 5_000 })
}

function show(name: string, { ms, mostMs }: { ms: number; mostMs: number }): void {
  const target = { text: `≤ ${mostMs} ms`, met: ms <= mostMs }
  report({ name, measured: milliseconds(ms), target })
}

/** CPU of the whole process, garbage collection included. */
function cpuMs(work: () => unknown, times: number): number {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time += 1) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / times
}
