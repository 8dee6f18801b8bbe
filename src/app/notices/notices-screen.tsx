import { useRef } from 'react'
import type { Notice } from '#contract/notices.ts'
import { screens } from '#contract/screens.ts'
import { groupBy } from '#core/group-by.ts'
import { timestampOf } from '#words/moment.ts'
import { noticePath, noticeText } from '#words/notice-text.ts'
import { t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { DaySection } from '#app/ui/frame/day-section.tsx'
import { LoadMore } from '#app/ui/frame/load-more.tsx'
import { useMoneyText } from '#app/ui/money/money.tsx'
import { useNotices, useReadNotices } from './notice-queries.ts'

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
            {t('Choose your notifications')}
          </Link>
        </p>
        {notices.isError && (
          <LoadProblem
            message={t('Unable to load your notifications')}
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

type InboxProps = { notices: ReturnType<typeof useNotices>; items: readonly Notice[] }

function Inbox({ notices, items }: InboxProps) {
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
    <div
      ref={list}
      tabIndex={-1}
      aria-label={t('Notifications')}
      role="group"
      className="outline-none"
    >
      {items.some(({ isRead }) => !isRead) && (
        <div className="flex justify-end">
          <Button look="quiet" className="-mr-2" pending={read.isPending} onClick={readAll}>
            {t('Mark all as read')}
          </Button>
        </div>
      )}
      {[...groupBy(items, ({ createdAt }) => dayText(createdAt))].map(([day, own]) => (
        <DaySection key={day} day={day}>
          {own.map((notice) => (
            <NoticeRow
              key={notice.id}
              notice={notice}
              onOpen={() => !notice.isRead && read.mutate(notice.id)}
            />
          ))}
        </DaySection>
      ))}
      <LoadMore
        hasMore={notices.hasNextPage}
        loading={notices.isFetchingNextPage}
        onMore={() => void notices.fetchNextPage()}
      />
    </div>
  )
}

function NoticeRow({ notice, onOpen }: { notice: Notice; onOpen: () => void }) {
  const { clockText, momentText } = useDates()
  const money = useMoneyText()
  const { title, text } = noticeText(notice, {
    // Browsers may break a line after a minus sign, but not before a word joiner.
    print: (style) => money(style).replace('\u2212', '\u2212\u2060'),
    moment: (moment) => momentText(timestampOf(moment)),
  })
  return (
    <li>
      <Link
        href={noticePath(notice)}
        onClick={onOpen}
        data-unread={notice.isRead ? undefined : true}
        className={
          '-mx-2 flex min-h-19 items-start gap-3 rounded-control px-2 py-3 ' +
          'transition-[background-color] duration-120 hover:bg-raised'
        }
      >
        <span
          aria-hidden="true"
          className={`mt-2 size-2 shrink-0 rounded-full ${notice.isRead ? '' : 'bg-accent'}`}
        />
        <span className="min-w-0 flex-1">
          <span
            className={
              'block text-16 wrap-break-word ' + (notice.isRead ? 'font-medium' : 'font-semibold')
            }
          >
            {!notice.isRead && <span className="sr-only">{t('New')}: </span>}
            {title}
          </span>
          <span className="block text-14 wrap-break-word text-ink2">{text}</span>
          <span className="block text-12 text-ink2">{clockText(notice.createdAt)}</span>
        </span>
      </Link>
    </li>
  )
}
