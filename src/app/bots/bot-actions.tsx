import { Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { useUpdateBot } from '#app/api/queries.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { Tooltip, TooltipGroup } from '#app/ui/overlays/tooltip.tsx'
import { DeleteBotDialog } from './delete-bot-dialog.tsx'
import { RenameBotSheet } from './rename-bot-sheet.tsx'
import { SimulateButton } from './simulate-button.tsx'

/** Simulate, pause or resume, rename and delete. A closing bot has none of these. */
export function BotActions({ bot, onDeleted }: { bot: Bot; onDeleted?: () => void }) {
  const update = useUpdateBot()
  const online = useOnline()
  const [open, setOpen] = useState<'rename' | 'delete'>()
  if (bot.status === 'closing') {
    return (
      <p className="flex min-h-12 items-center text-14 text-ink2">
        Closing: its coins are being sold, then the money returns to your balance.
      </p>
    )
  }
  const close = () => setOpen(undefined)
  const change = (changes: { isActive: boolean } | { name: string }) =>
    update.mutate(
      { id: bot.id, ...changes },
      { onSuccess: close, onError: (error) => showFailure(error, { title: 'Failed to Update Bot', description: 'Failed to update trading bot.' }) },
    )
  const actions = [
    { icon: bot.isActive ? Pause : Play, text: bot.isActive ? 'Pause' : 'Resume', act: () => change({ isActive: !bot.isActive }) },
    { icon: Pencil, text: 'Rename', act: () => setOpen('rename') },
    { icon: Trash2, text: 'Delete', act: () => setOpen('delete') },
  ]
  return (
    <div className="flex items-center">
      <SimulateButton bot={bot} />
      <span className="ml-auto flex">
        <TooltipGroup>
          {actions.map(({ icon, text, act }) => (
            <Tooltip key={text} text={text}>
              <IconButton
                icon={icon}
                label={`${text} ${bot.name}`}
                disabled={update.isPending || !online}
                aria-describedby={online ? undefined : OFFLINE_REASON}
                onClick={act}
              />
            </Tooltip>
          ))}
        </TooltipGroup>
      </span>
      <DeleteBotDialog bot={bot} open={open === 'delete'} onClose={close} {...(onDeleted ? { onDeleted } : {})} />
      <RenameBotSheet current={bot.name} open={open === 'rename'} pending={update.isPending} onClose={close} onRename={(name) => change({ name })} />
    </div>
  )
}
