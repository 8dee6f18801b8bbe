import type { Bot } from '#contract/bots.ts'
import { t } from '#words/words.ts'
import { useDeleteBot } from './bot-queries.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useConfig } from '#app/api/queries.ts'
import { isPositiveAmount, sumOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { forecastClosing } from './take-out-forecast.ts'

export function DeleteBotDialog({
  bot,
  open,
  onClose,
  onDeleted,
}: {
  bot: Bot
  open: boolean
  onClose: () => void
  onDeleted?: () => void
}) {
  const remove = useDeleteBot()
  const confirm = () => {
    onClose()
    remove.mutate(bot.id, {
      onSuccess: () => {
        showToast({
          title: t('Bot Deleted'),
          description: t('{bot} sells its coins; the cash returns to your balance.', {
            bot: bot.name,
          }),
        })
        onDeleted?.()
      },
      onError: (error) => showFailure(error, 'deleteBot'),
    })
  }
  return (
    <ConfirmDialog
      open={open}
      onCancel={onClose}
      onConfirm={confirm}
      question={t('Are you sure you want to delete this bot?')}
      confirmLabel={t('Delete bot')}
      cancelLabel={t('Keep bot')}
    >
      <MoneyToReturn bot={bot} /> <SellingCost bots={[bot]} />{' '}
      {t('Its trades stay in your history.')}
    </ConfirmDialog>
  )
}

function MoneyToReturn({ bot }: { bot: Bot }) {
  const name = <span className="font-semibold text-ink">{bot.name}</span>
  const forecast = forecastClosing(bot, useConfig().data?.tradingCostBps ?? 0)
  const fee = <Money amount={forecast.fee} className="font-semibold text-ink" />
  const rest = <Money amount={forecast.returned} className="font-semibold text-ink" />
  if (forecast.fee === '0.00') {
    return (
      <Trans
        message="{bot} sells its coins at market price and returns the rest, now about {rest}, to your balance."
        bot={name}
        rest={rest}
      />
    )
  }
  return (
    <Trans
      message="{bot} sells its coins at market price and pays our fee of about {fee}. The rest, now about {rest}, returns to your balance."
      bot={name}
      fee={fee}
      rest={rest}
    />
  )
}

function SellingCost({ bots }: { bots: readonly Bot[] }) {
  const costBps = useConfig().data?.tradingCostBps ?? 0
  const cost = sumOf(...bots.map((bot) => forecastClosing(bot, costBps).cost))
  if (!isPositiveAmount(cost)) return null
  return (
    <Trans
      message="Selling costs about {cost}, which is already deducted."
      cost={<Money amount={cost} className="font-semibold text-ink" />}
    />
  )
}
