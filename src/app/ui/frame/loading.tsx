import { LoadProblem, Skeleton } from './section.tsx'

type Loaded = { data: unknown; isError: boolean; refetch: () => unknown }

/** Placeholder until a query has loaded; nothing afterwards. `className` styles the skeleton. */
export function Loading({
  query,
  problem,
  className,
}: {
  query: Loaded
  problem: string
  className: string
}) {
  if (query.isError) return <LoadProblem message={problem} onRetry={() => void query.refetch()} />
  return query.data === undefined && <Skeleton className={className} />
}
