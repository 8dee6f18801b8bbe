import type { ReactNode } from 'react'
import { screens, type ScreenName } from '#contract/screens.ts'
import { say } from '#words/words.ts'
import { PaperStamp } from '#app/shell/paper-stamp.tsx'
import { Brand } from '#app/shell/brand.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { OtherLanguages } from './other-languages.tsx'

/**
 * The frame of login, signup and the pages of links in messages: a link home, the stamp, a title,
 * and the other languages below.
 */
export function AuthFrame({ screen, children }: { screen: ScreenName; children: ReactNode }) {
  const title = say(screens[screen].title)
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
      <OtherLanguages />
    </div>
  )
}

/** Puts a link to the other of the two screens around its words. */
export function linkTo(path: string): (words: ReactNode) => ReactNode {
  return (words) => (
    <Link href={path} className="inline-flex min-h-12 items-center px-2 font-semibold text-accent">
      {words}
    </Link>
  )
}
