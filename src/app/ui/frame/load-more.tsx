import { useEffect, useRef } from 'react'
import { Button } from '#app/ui/buttons/button.tsx'

type Props = { hasMore: boolean; loading: boolean; onMore: () => void }

/** Fetches the next page when it comes into view; a button does the same for keyboards. */
export function LoadMore({ hasMore, loading, onMore }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current || !hasMore || loading) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '300px' })
    observer.observe(place.current)
    return () => observer.disconnect()
  })
  if (!hasMore) return null
  return (
    <div ref={place} className="grid pt-3">
      <Button look="quiet" pending={loading} pendingLabel="Loading..." onClick={onMore}>
        Load more
      </Button>
    </div>
  )
}
