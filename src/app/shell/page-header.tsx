import { screens, type ScreenName } from '#contract/screens.ts'
import { say, t } from '#words/words.ts'
import { isInsideApp } from '#app/ui/device/inside-app.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { ArrowLeft } from '#app/ui/frame/later-icons.ts'
import { Bell } from './bell.tsx'
import { PaperStamp } from './brand.tsx'

/**
 * The title (default: the screen's), a link back if there is one, the paper stamp, and on screens
 * of tabs the bell.
 */
export function PageHeader({
  screen,
  title = say(screens[screen].title),
  backTo,
}: {
  screen: ScreenName
  title?: string
  backTo?: string
}) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-3 px-5 pt-4 pb-2">
      <title>{`${title} · Trading Bot`}</title>
      <div className="flex min-w-0 flex-[1_1_9rem] items-center gap-1">
        {backTo !== undefined && (
          <Link
            href={backTo}
            aria-label={t('Back')}
            // If there is no screen to go back to, as in a new tab, the arrow leads to the parent
            // screen.
            onClick={(event) => {
              if (!isInsideApp()) return
              event.preventDefault()
              history.back()
            }}
            className={
              '-ml-3 grid size-12 shrink-0 place-items-center rounded-control hover:bg-raised'
            }
          >
            <ArrowLeft size={24} strokeWidth={1.75} aria-hidden="true" />
          </Link>
        )}
        <h1 className="flex min-h-12 min-w-0 items-center text-20 font-semibold">{title}</h1>
      </div>
      <span className="flex items-center gap-1">
        <PaperStamp />
        {backTo === undefined && <Bell />}
      </span>
    </header>
  )
}
