import type { ShownRefusal } from '#contract/problem.ts'

const NAMES: Record<string, string> = { name: 'Bot name', tradingPairs: 'Trading pairs', investmentAmount: 'Investment amount' }

/** The fields that are still at fault, above the button that was pressed. Each entry leads to its field. */
export function ProblemList({ problems, onOpen }: { problems: readonly ShownRefusal[]; onOpen: (field: string) => void }) {
  const fields = problems.map(({ field = '' }) => field).filter((field) => field in NAMES)
  if (fields.length === 0) return null
  return (
    <div role="group" aria-label="Please check" data-problems className="flex flex-wrap items-center gap-x-3 text-14 text-loss">
      <span aria-hidden="true">Please check:</span>
      {fields.map((field) => (
        <button
          key={field}
          type="button"
          onClick={() => onOpen(field)}
          className="min-h-12 rounded-control font-semibold underline underline-offset-[0.2em]"
        >
          {NAMES[field]}
        </button>
      ))}
    </div>
  )
}
