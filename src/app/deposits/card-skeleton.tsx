import { Skeleton } from '#app/ui/frame/skeleton.tsx'

/** The place of the card form until it is there. */
export function CardSkeleton() {
  return (
    <div role="status" aria-label="Loading the card form" className="flex flex-col gap-5">
      <Skeleton className="h-12 w-full" />
      <div className="grid grid-cols-2 gap-3">
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </div>
      <Skeleton className="h-12 w-full" />
    </div>
  )
}
