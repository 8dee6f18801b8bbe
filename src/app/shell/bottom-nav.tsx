import { Bot, History, House, MessageSquare, UserRound, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'
import { allScreens, type Tab } from '#contract/screens.ts'

const ICONS: Record<Tab, LucideIcon> = { Home: House, Bots: Bot, History, Help: MessageSquare, Profile: UserRound }

/** The tabs at the lower edge. A screen with a parameter in its path stands below a tab's own. */
export function BottomNav({ current }: { current: Tab }) {
  return (
    <nav aria-label="Main" className="fixed inset-x-0 bottom-0 z-30 border-t border-hairline bg-surface pb-safe">
      <ul className="mx-auto grid max-w-page auto-cols-fr grid-flow-col">
        {allScreens.map(({ path, tab }) => tab && !path.includes(':') && <Entry key={tab} path={path} tab={tab} isCurrent={tab === current} />)}
      </ul>
    </nav>
  )
}

function Entry({ path, tab, isCurrent }: { path: string; tab: Tab; isCurrent: boolean }) {
  const Icon = ICONS[tab]
  return (
    <li>
      <Link
        href={path}
        aria-current={isCurrent ? 'page' : undefined}
        className="relative flex min-h-15 flex-col items-center justify-center gap-0.5 text-12 font-medium text-ink2
          transition-transform duration-120 before:absolute before:top-0 before:h-0.5 before:w-8 before:rounded-full active:scale-95
          focus-visible:outline-offset-[-4px] aria-[current=page]:font-semibold aria-[current=page]:text-accent
          aria-[current=page]:before:bg-accent"
      >
        <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
        {tab}
      </Link>
    </li>
  )
}
