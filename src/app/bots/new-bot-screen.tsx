import { shownPortfolio } from '#app/api/portfolio.ts'
import { usePortfolio, useUser } from '#app/api/queries.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { BesideBots } from './beside-bots.tsx'
import { NewBotForm } from './new-bot-form.tsx'
import { useBotOfAddress } from './use-bot-draft.ts'

export function NewBotScreen() {
  const [, navigate] = useLocation()
  useBotOfAddress()
  const portfolio = shownPortfolio(usePortfolio())
  const user = useUser().data
  const available = (portfolio ?? user)?.availableBalance ?? '0.00'
  return (
    <BesideBots>
      <PageHeader screen="newBot" backTo="/bot-config" />
      <div className="max-w-form px-5 pt-2">
        <NewBotForm
          available={available}
          taken={portfolio?.bots.map(({ name }) => name) ?? []}
          onCreated={({ id }) => navigate(`/bot-config/${id}`, { replace: true })}
        />
      </div>
    </BesideBots>
  )
}
