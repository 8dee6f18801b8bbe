import { PROBLEMS } from '#contract/problem.ts'
import { say } from '#words/words.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'

/** Takes the place of what a link leads to once the link works no more, with the way on. */
export function DeadLink({ href, children }: { href: string; children: string }) {
  return (
    <div role="alert" className="grid gap-5">
      <p className="text-16 text-ink2">{say(PROBLEMS['link-invalid'].message)}</p>
      <LinkButton href={href}>{children}</LinkButton>
    </div>
  )
}
