import { useId, useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { checkBotName } from '#core/bots/bot.ts'
import { PAUSED_SENTENCE } from '#core/bots/change-settings.ts'
import { msg, say, t } from '#words/words.ts'
import { useUpdateBot } from './bot-queries.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { useUser } from '#app/api/queries.ts'
import { OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { formFields, TextField } from '#app/ui/forms/fields.tsx'
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
} from '#app/ui/frame/later-icons.ts'
import { ActionMenu, type MenuAction } from '#app/ui/overlays/action-menu.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { AddMoneySheet } from './add-money-sheet.tsx'
import { cloneOf } from './clone-bot.ts'
import { reasonWhileMoving } from './bot-money-actions.tsx'
import { DeleteBotDialog } from './delete-bot-dialog.tsx'
import { EditBotSheet } from './edit-bot-sheet.tsx'
import { SIMULATION_NOTE, SimulationSheet, useSimulation } from './simulation-sheet.tsx'
import { TakeOutSheet } from './take-out-sheet.tsx'
import { useStartDraft } from './use-bot-draft.ts'

type SheetName = 'add' | 'take-out' | 'edit' | 'rename' | 'delete'

export function BotMenu({ bot, onDeleted }: { bot: Bot; onDeleted?: () => void }) {
  const [sheet, setSheet] = useState<{ name: SheetName; isOpen: boolean }>()
  const simulation = useSimulation(bot)
  const { toggle, isToggling } = useToggle(bot)
  const clone = useClone(bot)
  const reason = useId()
  const close = () => setSheet((last) => last && { ...last, isOpen: false })
  const open = (name: SheetName) => () => setSheet({ name, isOpen: true })
  const actions = useActions({
    bot,
    sharedReason: reason,
    isSending: isToggling,
    acts: {
      pause: toggle,
      resume: toggle,
      add: open('add'),
      'take-out': open('take-out'),
      edit: open('edit'),
      simulate: simulation.run,
      rename: open('rename'),
      clone,
      delete: open('delete'),
    },
  })
  if (bot.status === 'closing') return null
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
      {/* Sheets stay mounted, because an action may end after its sheet was closed. */}
      {sheet && (
        <Sheets
          shown={sheet.isOpen ? sheet.name : undefined}
          {...{ bot, onDeleted }}
          onClose={close}
        />
      )}
    </>
  )
}

function Sheets({
  bot,
  shown,
  onClose,
  onDeleted,
}: {
  bot: Bot
  shown: SheetName | undefined
  onClose: () => void
  onDeleted: (() => void) | undefined
}) {
  return (
    <>
      <AddMoneySheet bot={bot} open={shown === 'add'} onClose={onClose} />
      <TakeOutSheet bot={bot} open={shown === 'take-out'} onClose={onClose} />
      <EditBotSheet bot={bot} open={shown === 'edit'} onClose={onClose} />
      <RenameBotSheet bot={bot} open={shown === 'rename'} onClose={onClose} />
      <DeleteBotDialog
        bot={bot}
        open={shown === 'delete'}
        onClose={onClose}
        {...(onDeleted ? { onDeleted } : {})}
      />
    </>
  )
}

function Reason({ id, bot }: { id: string; bot: Bot }) {
  const moving = reasonWhileMoving(bot)
  if (!useOnline() || moving === undefined) return <OfflineReason id={id} className="px-3 pb-2" />
  return (
    <p id={id} className="px-3 pb-2 text-14 text-ink2">
      {moving}
    </p>
  )
}

type ActionName = SheetName | 'pause' | 'resume' | 'simulate' | 'clone'

type Action = Pick<MenuAction, 'icon' | 'text' | 'label' | 'tone'> & {
  name: ActionName
  note?: string
  /**
   * Condition for the action. `server`: the server accepts actions; `rest`: also, no money of the
   * bot is moving.
   */
  needs: 'nothing' | 'server' | 'rest'
  pausedNote?: string
}

const ACTIONS: readonly Action[] = [
  { name: 'pause', icon: Pause, text: msg('Pause'), label: msg('Pause {bot}'), needs: 'rest' },
  { name: 'resume', icon: Play, text: msg('Resume'), label: msg('Resume {bot}'), needs: 'rest' },
  {
    name: 'add',
    icon: CirclePlus,
    text: msg('Add money'),
    label: msg('Add money to {bot}'),
    needs: 'rest',
  },
  {
    name: 'take-out',
    icon: Wallet,
    text: msg('Take money out'),
    label: msg('Take money out of {bot}'),
    needs: 'rest',
    pausedNote: PROBLEMS['bot-paused'].message,
  },
  {
    name: 'edit',
    icon: SlidersHorizontal,
    text: msg('Edit'),
    label: msg('Edit {bot}'),
    note: msg('Changes its pairs or risk level.'),
    needs: 'rest',
    pausedNote: PAUSED_SENTENCE,
  },
  {
    name: 'simulate',
    icon: ChartLine,
    text: msg('Simulate trade'),
    label: msg('Simulate trade with {bot}'),
    note: SIMULATION_NOTE,
    needs: 'server',
  },
  {
    name: 'rename',
    icon: Pencil,
    text: msg('Rename'),
    label: msg('Rename {bot}'),
    needs: 'server',
  },
  {
    name: 'clone',
    icon: Copy,
    text: msg('Clone'),
    label: msg('Clone {bot}'),
    note: msg('Starts a new bot with these settings.'),
    needs: 'nothing',
  },
  {
    name: 'delete',
    icon: Trash2,
    text: msg('Delete'),
    label: msg('Delete {bot}'),
    tone: 'danger',
    needs: 'server',
  },
]

function useActions({
  bot,
  sharedReason,
  isSending,
  acts,
}: {
  bot: Bot
  sharedReason: string
  isSending: boolean
  acts: Record<ActionName, () => void>
}): MenuAction[] {
  const online = useOnline()
  const server = { disabled: !online || isSending, describedBy: online ? undefined : sharedReason }
  const isMoving = reasonWhileMoving(bot) !== undefined
  const limits = {
    nothing: {},
    server,
    rest: isMoving ? { disabled: true, describedBy: sharedReason } : server,
  }
  const shown = ACTIONS.filter(({ name }) => name !== (bot.isActive ? 'resume' : 'pause'))
  return shown.map(({ name, text, label, note, needs, pausedNote, ...look }) => {
    const isPaused = pausedNote !== undefined && bot.status !== 'active'
    const words = isPaused ? pausedNote : note
    return {
      ...look,
      text: say(text),
      label: say(label, { bot: bot.name }),
      note: words && say(words),
      act: acts[name],
      ...limits[needs],
      ...(isPaused && { disabled: true }),
    }
  })
}

/** Pauses or resumes the bot. */
function useToggle({ id, isActive }: Bot) {
  const update = useUpdateBot()
  const toggle = () =>
    update.mutate(
      { id, isActive: !isActive },
      { onError: (error) => showFailure(error, 'updateBot') },
    )
  return { toggle, isToggling: update.isPending }
}

function useClone(bot: Bot): () => void {
  const [, navigate] = useLocation()
  const available = useUser().data?.availableBalance ?? '0.00'
  const start = useStartDraft()
  return () => {
    start(cloneOf(bot, available))
    navigate('/bot-config/new')
  }
}

function RenameBotSheet({ bot, open, onClose }: { bot: Bot; open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title={t('Rename bot')}>
      <NameForm bot={bot} onDone={onClose} />
    </Sheet>
  )
}

/** Without a toast, because the new name is visible behind the sheet. */
function NameForm({ bot, onDone }: { bot: Bot; onDone: () => void }) {
  const update = useUpdateBot()
  const form = useForm({
    action: 'updateBot',
    request: update,
    read: (element) => formFields(element, ['name']),
    check: ({ name }) => ({ name: () => checkBotName(name) }),
    send: ({ name }) => update.mutateAsync({ id: bot.id, name }),
    onDone,
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <TextField
        label={t('Bot name')}
        autoComplete="off"
        defaultValue={bot.name}
        {...form.field('name')}
      />
      <Submit form={form} pendingLabel={t('Saving…')}>
        {t('Save name')}
      </Submit>
    </Form>
  )
}
