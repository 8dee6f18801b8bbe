import { lazy, Suspense } from 'react'
import { useQuestion } from './asked-proof.ts'

const ProofSheet = lazy(async () => ({ default: (await import('./proof-sheet.tsx')).ProofSheet }))

export function ProofOutlet() {
  const question = useQuestion()
  return <Suspense>{question && <ProofSheet question={question} />}</Suspense>
}
