import { lazy, Suspense } from 'react'
import { useQuestion } from './asked-proof.ts'

const ProofSheet = lazy(async () => ({ default: (await import('./proof-sheet.tsx')).ProofSheet }))

/**
 * Where a screen shows the sheet that asks who it is. Its code is loaded with the first question.
 */
export function ProofOutlet() {
  const question = useQuestion()
  return <Suspense>{question && <ProofSheet question={question} />}</Suspense>
}
