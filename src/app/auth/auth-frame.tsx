import { useEffect, useRef, type ReactNode } from 'react'
import { PROBLEMS } from '#contract/problem.ts'
import { screens, type ScreenName } from '#contract/screens.ts'
import { say } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { Brand, PaperStamp } from '#app/shell/brand.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { useLanguageChange } from '#app/ui/words/language-change.ts'
import { OtherLanguages } from './other-languages.tsx'

export function AuthFrame({ screen, children }: { screen: ScreenName; children: ReactNode }) {
  const title = say(screens[screen].title)
  const { choose, dialog } = useLanguageChange()
  return (
    <div className="px-5 pt-4">
      <title>{`${title} · Trading Bot`}</title>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3">
        <Link href="/" className="inline-flex min-h-12 items-center">
          <Brand />
        </Link>
        <PaperStamp />
      </header>
      <h1 className="mt-8 mb-6 text-28 font-semibold tracking-[-0.01em]">{title}</h1>
      {children}
      <OtherLanguages choose={choose} />
      {dialog}
    </div>
  )
}

export function linkTo(path: string): (words: ReactNode) => ReactNode {
  return (words) => (
    <Link href={path} className="inline-flex min-h-12 items-center px-2 font-semibold text-accent">
      {words}
    </Link>
  )
}

/**
 * The secret of the link; null until the browser has read it, because the server never receives the
 * part after the #.
 */
export function useLinkToken(): string | null {
  return useDeviceFact<string | null>({
    onDevice: () => location.hash.slice(1),
    onPage: () => null,
  })
}

export function isDead(token: string | null, error: unknown): boolean {
  return token === '' || (error instanceof ApiError && error.code === 'link-invalid')
}

/**
 * Replaces the content of a mailed link's page when the link is invalid, and offers the next step.
 */
export function DeadLink({ href, children }: { href: string; children: string }) {
  return (
    <div role="alert" className="grid gap-5">
      <p className="text-16 text-ink2">{say(PROBLEMS['link-invalid'].message)}</p>
      <LinkButton href={href}>{children}</LinkButton>
    </div>
  )
}

export function DoneNote({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => note.current?.focus(), [])
  return (
    <div ref={note} tabIndex={-1} className="grid gap-5 outline-none">
      <div>
        <h2 className="text-20 font-semibold">{title}</h2>
        <p className="mt-1 text-16 text-ink2 wrap-anywhere">{children}</p>
      </div>
      {action}
    </div>
  )
}
