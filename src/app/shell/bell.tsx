import { screens } from '#contract/screens.ts'
import { say, tCount } from '#words/words.ts'
import { useUser } from '#app/api/queries.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { Bell as BellIcon } from '#app/ui/frame/icons.ts'

export function Bell() {
  const count = useUser().data?.unreadNotices
  if (count === undefined) return null
  return (
    <Link
      href={screens.notices.path}
      aria-label={
        count > 0
          ? tCount(count, { one: '{count} new notification', other: '{count} new notifications' })
          : say(screens.notices.title)
      }
      className={
        'relative -my-2 -mr-3 grid size-[48px] shrink-0 place-items-center rounded-control ' +
        'text-ink2 hover:bg-raised'
      }
    >
      <BellIcon size={24} strokeWidth={1.75} aria-hidden="true" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className={
            'absolute top-1 right-1 min-w-5 rounded-full bg-accent px-1 text-center text-12 ' +
            'font-semibold text-on-accent'
          }
        >
          {count}
        </span>
      )}
    </Link>
  )
}
