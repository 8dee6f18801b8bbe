import { useEffect, useRef } from 'react'
import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'

/** Loads the next page when it scrolls into view; the button is for keyboards. */
export function LoadMore({
  hasMore,
  loading,
  onMore,
}: {
  hasMore: boolean
  loading: boolean
  onMore: () => void
}) {
  const marker = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!marker.current || !hasMore || loading) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      rootMargin: '300px',
    })
    observer.observe(marker.current)
    return () => observer.disconnect()
  })
  if (!hasMore) return null
  return (
    <div ref={marker} className="grid pt-3">
      <Button look="quiet" pending={loading} pendingLabel={t('Loading…')} onClick={onMore}>
        {t('Load more')}
      </Button>
    </div>
  )
}
