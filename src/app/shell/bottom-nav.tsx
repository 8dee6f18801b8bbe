import { Bot, History, House, MessageSquare, UserRound, type LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'

const TABS: readonly { href: string; text: string; icon: LucideIcon }[] = [
  { href: '/', text: 'Home', icon: House },
  { href: '/bot-config', text: 'Bots', icon: Bot },
  { href: '/history', text: 'History', icon: History },
  { href: '/help', text: 'Help', icon: MessageSquare },
  { href: '/profile', text: 'Profile', icon: UserRound },
]

export function BottomNav() {
  const [location] = useLocation()
  return (
    <nav aria-label="Main" className="fixed inset-x-0 bottom-0 z-30 border-t border-hairline bg-surface pb-safe">
      <ul className="mx-auto grid max-w-page grid-cols-5">
        {TABS.map(({ href, text, icon: Icon }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={isCurrent({ href, location }) ? 'page' : undefined}
              className="relative flex min-h-15 flex-col items-center justify-center gap-0.5 text-12 font-medium text-ink2
                transition-transform duration-120 before:absolute before:top-0 before:h-0.5 before:w-8 before:rounded-full active:scale-95
                focus-visible:outline-offset-[-4px] aria-[current=page]:font-semibold aria-[current=page]:text-accent
                aria-[current=page]:before:bg-accent"
            >
              <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function isCurrent({ href, location }: { href: string; location: string }): boolean {
  return href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`)
}
