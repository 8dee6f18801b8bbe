import { msg, say } from '#words/words.ts'
import { Link } from '#app/ui/frame/link.tsx'

const PAGES = [
  { path: '/evidence', text: msg('See the evidence') },
  { path: '/forecasts', text: msg('See the range forecasts') },
  { path: '/track-record', text: msg('See the track record') },
] as const

/** Links from one page of results to the other pages. */
export function ResultLinks({ from }: { from: (typeof PAGES)[number]['path'] }) {
  return (
    <p className="flex flex-wrap gap-x-6">
      {PAGES.filter(({ path }) => path !== from).map(({ path, text }) => (
        <Link
          key={path}
          href={path}
          className="inline-flex min-h-12 items-center text-16 font-semibold text-accent underline"
        >
          {say(text)}
        </Link>
      ))}
    </p>
  )
}
