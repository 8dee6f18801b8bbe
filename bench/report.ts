/** One measured figure against its target. */
export type Figure = {
  name: string
  /** The measured value as printed: `9.8 s`. */
  measured: string
  /** Ratio to a baseline of the same run. Ratios hardly depend on the machine. */
  ratio?: string
  target?: { text: string; met: boolean }
}

export function report({ name, measured, ratio, target }: Figure): void {
  const verdict = target ? ` — target ${target.text}: ${target.met ? 'met' : 'MISSED'}` : ''
  console.log(`${name}: ${measured}${ratio === undefined ? '' : `, ${ratio}`}${verdict}`)
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The smallest value that `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ??
    Number.NaN
  )
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`
export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
