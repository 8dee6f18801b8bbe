import { PROBLEMS } from '#contract/problem.ts'
import { say } from '#words/words.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'

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
