import { say, t } from '#words/words.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { EvidenceFiguresView } from './evidence-figures-view.tsx'
import { useEvidence } from './evidence-queries.ts'
import { NOT_LOADED } from './evidence-text.ts'
import { NoEvidence } from './no-evidence.tsx'

/** The returns that each risk level would have had over every twelve months of history. Public. */
export function EvidenceScreen() {
  const { data, isError, refetch } = useEvidence()
  return (
    <>
      <PageHeader screen="evidence" backTo="/" />
      {isError && (
        <div className="px-5 pt-4">
          <LoadProblem message={say(NOT_LOADED)} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !isError && <BeingComputed />}
      {data?.state === 'figures' && <EvidenceFiguresView evidence={data} />}
      {data && data.state !== 'figures' && (
        <NoEvidence evidence={data} onRetry={() => void refetch()} />
      )}
      <p className="px-5 py-2">
        <Link
          href="/track-record"
          className="inline-flex min-h-12 items-center text-16 font-semibold text-accent underline"
        >
          {t('See the track record')}
        </Link>
      </p>
    </>
  )
}

function BeingComputed() {
  return (
    <div aria-busy="true" className="px-5 pt-2">
      <p role="status" className="text-17 text-ink2">
        {t('The evidence is being computed: thousands of years of bots, replayed hour by hour.')}
      </p>
      <Skeleton className="mt-6 h-96 w-full" />
    </div>
  )
}
