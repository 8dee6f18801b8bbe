import { LinkButton } from '#app/ui/forms/link-button.tsx'

export function QuickActions() {
  return (
    <section aria-label="Quick Actions" className="grid grid-cols-2 gap-3 px-5 pt-3">
      <LinkButton href="/deposit">Deposit</LinkButton>
      <LinkButton href="/withdraw" look="outline">
        Withdraw
      </LinkButton>
    </section>
  )
}
