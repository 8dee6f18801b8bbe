import type { Bot } from '#contract/bots.ts'
import { useDeleteBot } from '#app/api/actions.ts'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Money } from '#app/ui/money/money.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'

type Props = { bot: Bot; open: boolean; onClose: () => void; onDeleted?: () => void }

export function DeleteBotDialog({ bot, open, onClose, onDeleted }: Props) {
  const remove = useDeleteBot()
  const confirm = () => {
    onClose()
    remove.mutate(bot.id, {
      onSuccess: () => {
        showToast({ title: 'Bot Deleted', description: `${bot.name} sells its coins; the cash returns to your balance.` })
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
      question="Are you sure you want to delete this bot?"
      confirmLabel="Delete bot"
      cancelLabel="Keep bot"
    >
      <span className="font-semibold text-ink">{bot.name}</span> sells its coins at market price
      {bot.closingFee !== '0.00' && (
        <>
          , pays our fee of about <Money amount={bot.closingFee} className="font-semibold text-ink" />
        </>
      )}{' '}
      and returns the rest, now about <Money amount={bot.equity} className="font-semibold text-ink" />, to your balance. Its trades stay in your
      history.
    </ConfirmDialog>
  )
}
