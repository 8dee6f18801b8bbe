import type { ShownRefusal } from '#contract/problem.ts'
import { msg, say, t } from '#words/words.ts'

const NAMES: Record<string, string> = {
  name: msg('Bot name'),
  tradingPairs: msg('Trading pairs'),
  investmentAmount: msg('Investment amount'),
}

/**
 * The fields that are still at fault, above the button that was pressed. Each entry leads to its
 * field.
 */
export function ProblemList({
  problems,
  onOpen,
}: {
  problems: readonly ShownRefusal[]
  onOpen: (field: string) => void
}) {
  const fields = problems.flatMap(({ field = '' }) =>
    NAMES[field] === undefined ? [] : { field, name: say(NAMES[field]) },
  )
  if (fields.length === 0) return null
  return (
    <div
      role="group"
      aria-label={t('Please check')}
      data-problems
      className="flex flex-wrap items-center gap-x-3 text-14 text-loss"
    >
      <span aria-hidden="true">{t('Please check:')}</span>
      {fields.map(({ field, name }) => (
        <button
          key={field}
          type="button"
          onClick={() => onOpen(field)}
          className="min-h-12 rounded-control font-semibold underline underline-offset-[0.2em]"
        >
          {name}
        </button>
      ))}
    </div>
  )
}
