import { shownPortfolio } from '#app/api/portfolio.ts'
import { usePortfolio } from '#app/api/queries.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { useWide } from '#app/ui/device/wide.ts'
import { BOTS_COLUMN, BOTS_GRID } from './beside-bots.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { BotList } from './bot-list.tsx'
import { useAwaitedBot } from './created-bot.ts'
import { NewBotForm } from './new-bot-form.tsx'

/**
 * The list of bots. The form for a new bot is below an empty list, and from 1024 px beside any
 * list. Bots and available balance are from one response, so a new bot is listed exactly when its
 * money has left the balance.
 */
export function BotsScreen() {
  const [, navigate] = useLocation()
  const isWide = useWide()
  const portfolio = usePortfolio()
  const shown = shownPortfolio(portfolio)
  const isEmpty = shown?.bots.length === 0
  const isAwaited = useAwaitedBot(portfolio)
  const isShort = isEmpty && !isAwaited
  return (
    <div className={BOTS_GRID}>
      <div className={BOTS_COLUMN}>
        <PageHeader screen="bots" />
        <div className="-mt-6">
          <BotList portfolio={portfolio} />
        </div>
      </div>
      {shown && (isWide || isShort) && (
        <div className={`max-w-form px-5 pt-8 lg:pt-5 ${isShort ? '' : 'hidden lg:block'}`}>
          <NewBotForm
            available={shown.availableBalance}
            taken={shown.bots.map(({ name }) => name)}
            onCreated={({ id }) => navigate(`/bot-config/${id}`)}
          />
        </div>
      )}
    </div>
  )
}
