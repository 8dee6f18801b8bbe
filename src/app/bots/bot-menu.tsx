import { useId, useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { PROBLEMS, refusalOf } from '#contract/problem.ts'
import { checkBotName } from '#core/bots/bot.ts'
import { PAUSED_SENTENCE } from '#core/bots/change-settings.ts'
import { tidyName } from '#core/one-line.ts'
import { say, t } from '#words/words.ts'
import { useUpdateBot } from '#app/api/actions.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useUser } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { Form, TextField } from '#app/ui/forms/form.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import {
  ChartLine,
  CirclePlus,
  Copy,
  Pause,
  Pencil,
  Play,
  SlidersHorizontal,
  Trash2,
  Wallet,
} from '#app/ui/frame/icons.ts'
import { ActionMenu, type MenuAction } from '#app/ui/overlays/action-menu.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { AddMoneySheet } from './add-money-sheet.tsx'
import { cloneOf } from './bot-draft.ts'
import { reasonWhileMoving } from './bot-money-actions.tsx'
import { DeleteBotDialog } from './delete-bot-dialog.tsx'
import { EditBotSheet } from './edit-bot-sheet.tsx'
import { SIMULATION_NOTE, SimulationSheet, useSimulation } from './simulation-sheet.tsx'
import { TakeOutSheet } from './take-out-sheet.tsx'
import { LAST_STEP, useStartDraft } from './use-bot-draft.ts'

type SheetName = 'add' | 'take-out' | 'edit' | 'rename' | 'delete'

/** All that can be done with a bot. A closing one has no actions. */
export function BotMenu({ bot, onDeleted }: { bot: Bot; onDeleted?: () => void }) {
  const [sheet, setSheet] = useState<{ name: SheetName; isOpen: boolean }>()
  const simulation = useSimulation(bot)
  const update = useUpdateBot()
  const reason = useId()
  const close = () => setSheet((last) => last && { ...last, isOpen: false })
  const change = (changes: { isActive: boolean } | { name: string }) =>
    update.mutate(
      { id: bot.id, ...changes },
      { onSuccess: close, onError: (error) => showFailure(error, 'updateBot') },
    )
  const actions = useActions({
    bot,
    sharedReason: reason,
    isSending: update.isPending,
    toggle: () => change({ isActive: !bot.isActive }),
    simulate: simulation.run,
    open: (name) => setSheet({ name, isOpen: true }),
  })
  if (bot.status === 'closing') return null
  const shown = (name: SheetName) => sheet?.name === name && sheet.isOpen
  return (
    <>
      <ActionMenu
        label={t('Actions for {bot}', { bot: bot.name })}
        title={bot.name}
        actions={actions}
      >
        <Reason id={reason} bot={bot} />
      </ActionMenu>
      <SimulationSheet {...simulation} />
      {/* Once opened, they stay: the answer to an action may come after its sheet was closed. */}
      {sheet && (
        <>
          <AddMoneySheet bot={bot} open={shown('add')} onClose={close} />
          <TakeOutSheet bot={bot} open={shown('take-out')} onClose={close} />
          <EditBotSheet bot={bot} open={shown('edit')} onClose={close} />
          <RenameBotSheet
            current={bot.name}
            open={shown('rename')}
            pending={update.isPending}
            onClose={close}
            onRename={(name) => change({ name })}
          />
          <DeleteBotDialog
            bot={bot}
            open={shown('delete')}
            onClose={close}
            {...(onDeleted ? { onDeleted } : {})}
          />
        </>
      )}
    </>
  )
}

/** Why actions are disabled that would be enabled at another time. */
function Reason({ id, bot }: { id: string; bot: Bot }) {
  const moving = reasonWhileMoving(bot)
  if (!useOnline() || moving === undefined) return <OfflineReason id={id} className="px-3 pb-2" />
  return (
    <p id={id} className="px-3 pb-2 text-14 text-ink2">
      {moving}
    </p>
  )
}

type Doing = {
  bot: Bot
  sharedReason: string
  isSending: boolean
  toggle: () => void
  simulate: () => void
  open: (name: SheetName) => void
}

function useActions({ bot, sharedReason, isSending, toggle, simulate, open }: Doing): MenuAction[] {
  const online = useOnline()
  const clone = useClone(bot)
  const sends = { disabled: !online || isSending, describedBy: online ? undefined : sharedReason }
  const moves =
    reasonWhileMoving(bot) === undefined ? sends : { disabled: true, describedBy: sharedReason }
  const movesUnlessPaused = (reason: string) =>
    bot.status !== 'active' ? { ...moves, disabled: true, note: say(reason) } : moves
  const named = { bot: bot.name }
  return [
    bot.isActive
      ? { icon: Pause, text: t('Pause'), label: t('Pause {bot}', named), act: toggle, ...moves }
      : { icon: Play, text: t('Resume'), label: t('Resume {bot}', named), act: toggle, ...moves },
    {
      icon: CirclePlus,
      text: t('Add money'),
      label: t('Add money to {bot}', named),
      act: () => open('add'),
      ...moves,
    },
    {
      icon: Wallet,
      text: t('Take money out'),
      label: t('Take money out of {bot}', named),
      act: () => open('take-out'),
      ...movesUnlessPaused(PROBLEMS['bot-paused'].message),
    },
    {
      icon: SlidersHorizontal,
      text: t('Edit'),
      label: t('Edit {bot}', named),
      act: () => open('edit'),
      note: t('Changes its pairs or risk level.'),
      ...movesUnlessPaused(PAUSED_SENTENCE),
    },
    {
      icon: ChartLine,
      text: t('Simulate trade'),
      label: t('Simulate trade with {bot}', named),
      note: say(SIMULATION_NOTE),
      act: simulate,
      ...sends,
    },
    {
      icon: Pencil,
      text: t('Rename'),
      label: t('Rename {bot}', named),
      act: () => open('rename'),
      ...sends,
    },
    {
      icon: Copy,
      text: t('Clone'),
      label: t('Clone {bot}', named),
      note: t('Starts a new bot with these settings.'),
      act: clone,
    },
    {
      icon: Trash2,
      text: t('Delete'),
      label: t('Delete {bot}', named),
      tone: 'danger',
      act: () => open('delete'),
      ...sends,
    },
  ]
}

/** Opens the new bot's last step with the settings of this one. */
function useClone(bot: Bot): () => void {
  const [, navigate] = useLocation()
  const available = useUser().data?.availableBalance ?? '0.00'
  const start = useStartDraft()
  return () => {
    start(cloneOf(bot, available))
    navigate(`/bot-config/new?step=${LAST_STEP}`)
  }
}

function RenameBotSheet({
  current,
  open,
  pending,
  onClose,
  onRename,
}: {
  current: string
  open: boolean
  pending: boolean
  onClose: () => void
  onRename: (name: string) => void
}) {
  const [name, setName] = useState(current)
  const [error, setError] = useState<string>()
  const submit = () => {
    const refusal = refusalOf(() => checkBotName(name))
    setError(refusal?.description)
    if (!refusal) onRename(tidyName(name))
  }
  return (
    <Sheet open={open} onClose={onClose} title={t('Rename bot')}>
      <Form onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label={t('Bot name')}
          name="name"
          autoComplete="off"
          value={name}
          error={error}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" pending={pending} pendingLabel={t('Saving...')}>
          {t('Save name')}
        </Button>
      </Form>
    </Sheet>
  )
}
