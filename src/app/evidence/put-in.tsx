import { useState } from 'react'
import type { LevelEvidence } from '#contract/evidence.ts'
import { ONE } from '#core/money/amount.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { moneyText } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { Money, Percent } from '#app/ui/money/money.tsx'

const AMOUNTS = ['100', '500', '1000', '5000'] as const
const ALL = 100n * ONE
const WIDTH = 1_000

/** The worth of `amount` after a change of `percent`, floored to the cent: '284.48'. */
export function worthAfter(amount: string, percent: string): string {
  return unitsToDecimal(
    multiplyDivideFloor({
      a: decimalToUnits(amount),
      b: ALL + decimalToUnits(percent),
      divisor: ALL,
    }),
    2,
  )
}

const ENDS = [
  ['worst', msg('worst'), 'items-start text-left text-loss'],
  ['median', msg('median'), 'items-center text-center'],
  ['best', msg('best'), 'items-end text-right'],
] as const

/** The outcomes of a level as money that the reader chooses. */
export function PutIn({ level }: { level: LevelEvidence }) {
  const [amount, setAmount] = useState<string>('500')
  return (
    <section
      aria-label={t('If you had invested for 12 months')}
      className="mx-5 mt-5 rounded-sheet border border-hairline bg-surface px-4 py-4"
    >
      <ChoiceRow
        label={t('If you had invested for 12 months')}
        isLabelShown
        choices={AMOUNTS.map((value) => ({
          value,
          text: moneyText({ amount: value, precision: 'whole' }),
        }))}
        chosen={amount}
        onChoose={setAmount}
      />
      <OutcomeBar level={level} />
      <dl className="flex flex-wrap justify-between gap-x-1 gap-y-2">
        {ENDS.map(([end, name, look]) => (
          <div key={end} className={`flex min-w-0 flex-col-reverse ${look}`}>
            <dt className="text-14 text-ink2">
              {say(name)}, <Percent value={level[end].percent} sign="always" />
            </dt>
            <dd className="text-20 font-semibold">
              <Money own={false} amount={worthAfter(amount, level[end].percent)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/**
 * Places from 0 to `WIDTH` of the money put in (`start`), of three outcomes in order, and of the
 * end of the losses among them (`turn`).
 */
export function placesOf(outcomes: readonly { percent: string }[]) {
  const [low = 0, middle = 0, high = 0] = outcomes.map(({ percent }) => Number(percent))
  const [from, to] = [Math.min(0, low), Math.max(0, high)]
  const placeOf = (percent: number) => ((percent - from) / Math.max(to - from, 1)) * WIDTH
  return {
    start: placeOf(0),
    low: placeOf(low),
    middle: placeOf(middle),
    high: placeOf(high),
    turn: placeOf(Math.min(Math.max(0, low), high)),
  }
}

/** The range from worst to best on one scale, red below the money put in. */
function OutcomeBar({ level: { worst, median, best } }: { level: LevelEvidence }) {
  const { start, low, middle, high, turn } = placesOf([worst, median, best])
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} 16`}
      preserveAspectRatio="none"
      fill="none"
      className="my-3 h-4 w-full overflow-visible"
    >
      <path d={`M${low} 8H${turn}`} className="stroke-loss" strokeWidth={8} />
      <path d={`M${turn} 8H${high}`} className="stroke-gain" strokeWidth={8} />
      {[start, middle].map((place, index) => (
        <path
          key={index}
          d={`M${place} 0V16`}
          className="stroke-ink"
          strokeWidth={index === 0 ? 1 : 4}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}
