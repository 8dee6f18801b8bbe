import { LoadProblem, Skeleton } from './section.tsx'

type Loaded = { data: unknown; isError: boolean; refetch: () => unknown }

/** In place of what a query has not loaded; nothing once it has. `className` is the skeleton's. */
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
