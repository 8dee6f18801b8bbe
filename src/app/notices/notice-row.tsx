import type { Notice } from '#contract/notices.ts'
import { timestampOf } from '#words/moment.ts'
import { noticePath, noticeText } from '#words/notice-text.ts'
import { t } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { useMoneyText } from '#app/ui/money/hidden-amount.ts'

/** One notice; pressing it opens what it is about. Amounts are hidden where the user hides them. */
export function NoticeRow({ notice, onOpen }: { notice: Notice; onOpen: () => void }) {
  const { clockText, momentText } = useDates()
  const { title, text } = noticeText(notice, {
    print: useMoneyText(),
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
