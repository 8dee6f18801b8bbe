import type { Bot, BotPerformance } from '#contract/bots.ts'
import { marketIdOf } from '#core/market/pair.ts'
import { t } from '#words/words.ts'
import { useUser } from '#app/api/queries.ts'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { OfflineButton } from '#app/ui/buttons/offline-button.tsx'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { compareAmounts } from '#app/ui/money/amount-text.ts'

type Props = { performance: BotPerformance; onReplay: () => void }

/**
 * In place of a bot's trades. A trend may take days to start; meanwhile, what can be done at once
 * is offered. Has about the height of the first trade, so that it moves little below.
 */
export function NoTrades({ performance, onReplay }: Props) {
  const { bot } = performance
  return (
    <div className="min-h-44">
      <p className="text-16 text-ink2">
        {bot.strategy === 'trend'
          ? t('No trades yet. It buys when a price trend starts.')
          : t('No trades yet')}
      </p>
      {waitsForTrend(performance) && (
        <div className="-mx-2 flex flex-wrap gap-x-4">
          <OfflineButton look="quiet" onClick={onReplay}>
            {t('The last 30 days, replayed')}
          </OfflineButton>
          <HoldLink bot={bot} />
        </div>
      )}
    </div>
  )
}

function waitsForTrend({ bot, tradeCount, holdings }: BotPerformance): boolean {
  return (
    bot.status === 'active' &&
    bot.strategy === 'trend' &&
    tradeCount === 0 &&
    holdings.every(({ wantedPercent }) => Number(wantedPercent) === 0)
  )
}

/** Leads to a new bot with the same coins, and with the same amount if the balance covers it. */
function HoldLink({ bot: { tradingPairs, investmentAmount } }: { bot: Bot }) {
  const available = useUser().data?.availableBalance ?? '0.00'
  const { hidden } = useHiddenBalance()
  const isThere = !hidden && compareAmounts(investmentAmount, available) <= 0
  const fields = new URLSearchParams({
    strategy: 'hold',
    pairs: tradingPairs.map(marketIdOf).join(','),
    ...(isThere && { amount: investmentAmount }),
  })
  return (
    <LinkButton look="quiet" href={`/bot-config/new?${fields}`}>
      {t('Hold bot: buys at once')}
    </LinkButton>
  )
}
