import { useRef } from 'react'
import type { Notice } from '#contract/notices.ts'
import { screens } from '#contract/screens.ts'
import { groupBy } from '#core/group-by.ts'
import { t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { LoadMore } from '#app/ui/frame/load-more.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { NoticeRow } from './notice-row.tsx'
import { useNotices, useReadNotices } from './notice-queries.ts'

/** The inbox: what happened to the account, by day, the newest first. */
export function NoticesScreen() {
  const notices = useNotices()
  return (
    <>
      <PageHeader screen="notices" backTo="/" />
      <div className="px-5">
        <p className="text-14">
          <Link
            href={screens.noticeSettings.path}
            className="inline-flex min-h-12 items-center font-semibold text-accent"
          >
            {t('Choose your notices')}
          </Link>
        </p>
        {notices.isError && (
          <LoadProblem
            message={t('Unable to load your notices')}
            onRetry={() => void notices.refetch()}
          />
        )}
        {!notices.isError && !notices.data && <Skeleton className="h-72 w-full" />}
        {!notices.isError && notices.data && (
          <Inbox notices={notices} items={notices.data.pages.flatMap(({ items }) => items)} />
        )}
      </div>
    </>
  )
}

function Inbox({
  notices,
  items,
}: {
  notices: ReturnType<typeof useNotices>
  items: readonly Notice[]
}) {
  const { dayText } = useDates()
  const list = useRef<HTMLDivElement>(null)
  const read = useReadNotices()
  if (items.length === 0)
    return (
      <EmptyState title={t('Nothing yet')}>
        {t('Sign-ins, deposits, withdrawals and what your bots do will be listed here.')}
      </EmptyState>
    )
  const readAll = () =>
    read.mutate(undefined, {
      onSuccess: () => list.current?.focus({ preventScroll: true }),
      onError: (error) => showFailure(error, 'readNotices'),
    })
  return (
    <div ref={list} tabIndex={-1} aria-label={t('Notices')} role="group" className="outline-none">
      {items.some(({ isRead }) => !isRead) && (
        <div className="flex justify-end">
          <Button look="quiet" className="-mr-2" pending={read.isPending} onClick={readAll}>
            {t('Mark all as read')}
          </Button>
        </div>
      )}
      {[...groupBy(items, ({ createdAt }) => dayText(createdAt))].map(([day, own]) => (
        <section key={day} aria-label={day}>
          <h2 className="sticky top-0 z-10 -mx-5 bg-paper px-5 pt-4 pb-1 text-14 font-semibold text-ink2">
            {day}
          </h2>
          <ul className="divide-y divide-hairline">
            {own.map((notice) => (
              <NoticeRow
                key={notice.id}
                notice={notice}
                onOpen={() => !notice.isRead && read.mutate(notice.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      <LoadMore
        hasMore={notices.hasNextPage}
        loading={notices.isFetchingNextPage}
        onMore={() => void notices.fetchNextPage()}
      />
    </div>
  )
}
