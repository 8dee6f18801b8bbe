import { useLayoutEffect } from 'react'
import { tabs, type Tab } from '#contract/screens.ts'
import { msg, say, t } from '#words/words.ts'
import { Link } from '#app/ui/frame/link.tsx'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { Bot, History, House, MessageSquare, UserRound } from '#app/ui/frame/icons.ts'
import { CONTENT } from '#app/ui/frame/screen-frame.tsx'
import { Brand } from './brand.tsx'

const ICONS: Record<Tab, Icon> = {
  Home: House,
  Bots: Bot,
  History,
  Help: MessageSquare,
  Profile: UserRound,
}
const NAMES: Record<Tab, string> = {
  Home: msg('Home'),
  Bots: msg('Bots'),
  History: msg('History'),
  Help: msg('Help'),
  Profile: msg('Profile'),
}

/**
 * Tabs at the lower edge of a phone if `onPhones`, and a rail at the left from 768 px on. Precedes
 * the screen in the tab order; its first stop is a link that skips it.
 */
export function MainNav({ current, onPhones }: { current: Tab | undefined; onPhones: boolean }) {
  const place = onPhones ? 'tabs' : 'rail'
  useRoom(place)
  return (
    <>
      <SkipLink />
      <nav
        id="main-nav"
        aria-label={t('Main')}
        data-place={place}
        className={`fixed inset-x-0 bottom-0 z-30 min-h-(--tabs) border-t border-hairline bg-surface
          pb-safe md:inset-y-0 md:right-auto
          md:left-0 md:block md:w-(--rail) md:overflow-y-auto md:border-t-0 md:border-r
          md:pt-[calc(env(safe-area-inset-top)+1.25rem)] ${onPhones ? '' : 'hidden'}`}
      >
        <p className="mb-6 hidden justify-center px-6 md:flex lg:justify-start">
          <Brand nameFrom="lg" />
        </p>
        <ul className="grid grid-cols-5 md:grid-cols-1 md:gap-1 md:px-2 lg:px-3">
          {tabs.map(({ tab, path }) => (
            <Entry key={tab} path={path} tab={tab} isCurrent={tab === current} />
          ))}
        </ul>
      </nav>
    </>
  )
}

/**
 * Sets the place of the navigation on the root element, so that the styles reserve room for it. In
 * rendered pages the server sets it.
 */
function useRoom(place: string): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['nav'] = place
    return () => root.removeAttribute('data-nav')
  }, [place])
}

function Entry({ path, tab, isCurrent }: { path: string; tab: Tab; isCurrent: boolean }) {
  const Icon = ICONS[tab]
  return (
    <li>
      <Link
        href={path}
        aria-current={isCurrent ? 'page' : undefined}
        className={
          'relative flex min-h-15 flex-col items-center justify-center gap-0.5 text-12 ' +
          'font-medium text-ink2 transition-transform duration-120 before:absolute ' +
          'before:top-0 before:h-0.5 before:w-8 before:rounded-full active:scale-95 ' +
          'focus-visible:outline-offset-[-4px] aria-[current=page]:font-semibold ' +
          'aria-[current=page]:text-accent aria-[current=page]:before:bg-accent ' +
          'md:rounded-control md:before:hidden md:hover:bg-raised ' +
          'md:aria-[current=page]:bg-raised lg:min-h-12 lg:flex-row lg:justify-start ' +
          'lg:gap-3 lg:px-3 lg:text-16'
        }
      >
        <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
        {say(NAMES[tab])}
      </Link>
    </li>
  )
}

/**
 * Visible only when focused. Moves the focus by script, so that the address and the history do not
 * change.
 */
function SkipLink() {
  return (
    <a
      href={`#${CONTENT}`}
      onClick={(event) => {
        event.preventDefault()
        document.getElementById(CONTENT)?.focus()
      }}
      className={
        'fixed top-2 left-2 z-40 -translate-y-24 rounded-control bg-ink px-4 py-3 text-16 ' +
        'font-semibold text-paper focus:translate-y-0'
      }
    >
      {t('Skip to content')}
    </a>
  )
}
