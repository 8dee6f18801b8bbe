import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Term } from './term-sheet.tsx'

const TermSheet = lazy(async () => ({
  default: (await import('./term-sheet.tsx')).TermSheet,
}))

/**
 * A word with a dotted underline. A press opens a sheet that explains it. Its target is larger than
 * the word, and takes no room.
 */
export function DottedWord({
  term,
  className = '-m-3 p-3 underline-offset-4',
  children,
}: {
  term: Term
  className?: string
  children: ReactNode
}) {
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <button
        type="button"
        onClick={() => setSheet('open')}
        className={
          'rounded-control text-left underline decoration-ink3 decoration-dotted ' + className
        }
      >
        {children}
      </button>
      {sheet !== 'never' && (
        <Suspense>
          <TermSheet term={term} open={sheet === 'open'} onClose={() => setSheet('closed')} />
        </Suspense>
      )}
    </>
  )
}
