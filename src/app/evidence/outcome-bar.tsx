const WIDTH = 1_000

/** Outcomes in percent, in order. Without a best one, the range ends at the median. */
export type Outcomes = { worst: string; median: string; best?: string }

const percentsOf = ({ worst, median, best = median }: Outcomes) => [worst, median, best].map(Number)

/**
 * Places from 0 to `WIDTH`: of the money put in (`start`), of each outcome, and of the point where
 * the losses end (`turn`). `scale`: all outcomes that are drawn on the same scale.
 */
export function placesOf(marks: Outcomes, scale: readonly Outcomes[] = [marks]) {
  const ends = [0, ...scale.flatMap(percentsOf)]
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  const placeOf = (percent: number) => ((percent - from) / Math.max(to - from, 1)) * WIDTH
  const [low = 0, middle = 0, high = 0] = percentsOf(marks)
  return {
    start: placeOf(0),
    low: placeOf(low),
    middle: placeOf(middle),
    high: placeOf(high),
    turn: placeOf(Math.min(Math.max(0, low), high)),
  }
}

/**
 * The range of outcomes: red below the money put in, a gap there, and a mark at the median. The
 * figures are printed beside it.
 */
export function OutcomeBar({
  marks,
  scale,
  className,
}: {
  marks: Outcomes
  scale?: readonly Outcomes[]
  className: string
}) {
  const { start, low, middle, high, turn } = placesOf(marks, scale)
  const mark = { strokeWidth: 4, vectorEffect: 'non-scaling-stroke' } as const
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} 16`}
      preserveAspectRatio="none"
      fill="none"
      className={`block w-full overflow-visible ${className}`}
    >
      <path d={`M0 8H${WIDTH}`} className="stroke-hairline" strokeWidth={1} />
      <path d={`M${low} 8H${turn}`} className="stroke-loss" strokeWidth={8} />
      <path d={`M${turn} 8H${high}`} className="stroke-gain" strokeWidth={8} />
      <path d={`M${start} 0V16`} {...mark} className="stroke-surface" />
      <path d={`M${middle} 0V16`} {...mark} className="stroke-ink" />
    </svg>
  )
}
