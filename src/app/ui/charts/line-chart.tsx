import { useMemo, useState, type ReactNode } from 'react'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { Money } from '#app/ui/money/money.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ChartLines } from './chart-lines.tsx'
import { ChartMarks, type ChartMark } from './chart-marks.tsx'
import { ChartReadout, Pointer } from './chart-readout.tsx'
import {
  curveSentence,
  gainsOf,
  positionOf,
  scaleOf,
  type ChartTime,
  type Curve,
  type CurveValue,
} from './curve.ts'
import { valueTicks } from './ticks.ts'
import { useScrub } from './use-scrub.ts'

type Props = {
  name: string
  curve: Curve
  time: ChartTime
  note?: string
  /** The curve without gains and losses, in steps. */
  baseline?: Curve
  /** The same money kept as cash: a dotted line, which replaces the baseline if they differ. */
  cash?: Curve
  /** A second, dashed curve on the same scale. */
  beside?: { name: string; curve: Curve }
  marks?: { name: string; items: readonly ChartMark[] }
  /** Dashed curves after the end of `curve`. */
  ahead?: readonly Curve[] | undefined
  /** The latest value, in large type. While a point is selected, its value replaces it. */
  hero?: string
  /** Beside the value in large type. */
  stamp?: ReactNode
  children: ReactNode
  legend?: ReactNode
  tall?: boolean
}

/**
 * Dragging or arrow keys select values; screen readers get the whole curve as one sentence. A
 * button shows the gains alone, because steps of money put in or taken out may dwarf them.
 */
export function LineChart(props: Props) {
  const { curve, time, baseline, cash, beside, marks, ahead = NONE, legend } = props
  const { hidden } = useHiddenBalance()
  const [gainsOnly, setGainsOnly] = useState(false)
  const drawn = useMemo(
    () =>
      drawnCurves({ curve, baseline, cash, dashed: [beside?.curve ?? [], ...ahead], gainsOnly }),
    [curve, baseline, cash, beside?.curve, ahead, gainsOnly],
  )
  const { index, plot, slider } = useScrub(curve, drawn.scale)
  const [marked, setMarked] = useState<string>()
  const [chosen, place] = index === undefined ? [] : [curve[index], drawn.curve[index]]
  return (
    <div>
      <Reading {...props} chosen={chosen} />
      <ChartFrame
        scale={drawn.scale}
        time={time}
        ticks={hidden ? [] : valueTicks(drawn.scale, { signed: gainsOnly })}
        note={marked}
        height={props.tall ? 'h-52' : 'h-36'}
      >
        <div className="absolute inset-0 touch-pan-y select-none" {...plot}>
          <ChartLines {...drawn} namesStart={!hidden && !gainsOnly} />
          {place && <Pointer {...positionOf(place, drawn.scale)} />}
          <div
            {...slider({
              label: labelOf(props, hidden),
              valueText: valueTextOf(chosen ?? curve.at(-1), { time, hidden }),
            })}
          />
          {marks && <ChartMarks {...marks} scale={drawn.scale} onNote={setMarked} />}
        </div>
      </ChartFrame>
      <div className="flex flex-wrap items-start justify-between gap-x-3 px-5">
        <div className="min-w-[min(100%,11rem)] flex-1">{legend}</div>
        {baseline?.[1] && <GainsOnly pressed={gainsOnly} onChange={setGainsOnly} />}
      </div>
    </div>
  )
}

function Reading({
  chosen,
  hero,
  stamp,
  children,
  time,
  baseline,
  beside,
}: Props & { chosen: CurveValue | undefined }) {
  return (
    <>
      {hero !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 px-5">
          <Money key={chosen?.at} size="hero" amount={chosen?.value ?? hero} />
          {stamp}
        </div>
      )}
      <div className="relative px-5">
        <div className={`flex min-h-6 items-center ${chosen ? 'invisible' : ''}`}>{children}</div>
        {chosen && (
          <ChartReadout
            chosen={chosen}
            time={time}
            baseline={baseline}
            beside={beside}
            withValue={hero === undefined}
          />
        )}
      </div>
    </>
  )
}

function labelOf({ name, curve, time, note = '' }: Props, hidden: boolean): string {
  return hidden
    ? t('{name}: amounts are hidden.', { name })
    : `${curveSentence(name, curve, time.dayText)} ${note}`.trim()
}

function valueTextOf(
  point: CurveValue | undefined,
  { time, hidden }: { time: ChartTime; hidden: boolean },
): string | undefined {
  if (!point) return undefined
  const moment = time.momentText(point.at)
  return hidden ? moment : `${moment}: ${moneyText({ amount: point.value })}`
}

/** Always the same object, so that nothing is drawn again. */
const NONE: readonly Curve[] = []

/** `dashed`: the curve for comparison, then those of the forecast. */
type Curves = { curve: Curve; baseline: Curve | undefined; dashed: readonly Curve[] }

function drawnCurves({
  curve,
  baseline,
  cash,
  dashed,
  gainsOnly,
}: Curves & { cash: Curve | undefined; gainsOnly: boolean }): Curves & {
  scale: ReturnType<typeof scaleOf>
} {
  const start = cash?.length ? cash : baseline
  const isGains = gainsOnly && baseline
  const drawn = isGains
    ? {
        curve: gainsOf(curve, baseline),
        baseline: gainsOf(cash?.length ? cash : baseline.slice(0, 1), baseline),
        dashed: dashed.map((each) => gainsOf(each, baseline)),
      }
    : { curve, baseline: start, dashed }
  const given = [drawn.curve, drawn.baseline ?? [], ...drawn.dashed].filter(({ length }) => length)
  return { ...drawn, scale: scaleOf(given, isGains ? curve.at(-1)?.value : undefined) }
}

function GainsOnly({
  pressed,
  onChange,
}: {
  pressed: boolean
  onChange: (pressed: boolean) => void
}) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={() => onChange(!pressed)}
      className={
        'group -mr-2 grid min-h-12 shrink-0 place-items-center px-2 text-14 font-semibold ' +
        'text-ink2 aria-pressed:text-ink'
      }
    >
      <span
        className={
          'rounded-full border border-control px-3 py-1 whitespace-nowrap ' +
          'group-hover:bg-raised group-aria-pressed:border-ink group-aria-pressed:bg-ink ' +
          'group-aria-pressed:text-paper forced-colors:group-aria-pressed:border-4'
        }
      >
        {t('Gain only')}
      </span>
    </button>
  )
}
