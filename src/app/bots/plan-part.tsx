import { useState } from 'react'
import type { ShownRefusal } from '#contract/problem.ts'
import { t } from '#words/words.ts'
import { ChevronDown } from '#app/ui/frame/icons.ts'
import { PlanFields } from './plan-fields.tsx'
import { isPlan, type TypedPlan } from './plan-input.ts'
import { problemOf } from './use-problems.ts'

/**
 * The plan of a new bot: closed until somebody wants one, and open wherever it has something to
 * show.
 */
export function PlanPart({
  value,
  problems,
  onChange,
}: {
  value: TypedPlan
  problems: readonly ShownRefusal[]
  onChange: (savings: TypedPlan) => void
}) {
  // A kept draft is known only after the first rendering.
  const [open = isPlan(value), setOpen] = useState<boolean>()
  const errors = {
    amount: problemOf(problems, 'planAmount'),
    line: problemOf(problems, 'takeAbove'),
  }
  const isFaulty = errors.amount !== undefined || errors.line !== undefined
  return (
    <details
      open={open || isFaulty}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-y border-hairline"
    >
      <summary
        className={
          'flex min-h-13 cursor-pointer list-none items-center justify-between gap-3 py-2 ' +
          'text-16 font-semibold'
        }
      >
        {t('Add regularly')}
        <ChevronDown
          size={20}
          strokeWidth={1.75}
          aria-hidden="true"
          className="shrink-0 text-ink2 group-open:rotate-180"
        />
      </summary>
      <div className="flex flex-col gap-5 pb-4">
        <p className="text-14 text-ink2">
          {t(
            'A plan adds a sum from your balance every week or month, for the first time one period after the start. You can change or end it at any time.',
          )}
        </p>
        <PlanFields
          value={value}
          errors={errors}
          amountName="planAmount"
          onChange={(part) => onChange({ ...value, ...part })}
        />
      </div>
    </details>
  )
}
