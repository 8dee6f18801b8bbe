import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { strategyKey } from '#core/strategy/strategy-key.ts'
import { t } from '#words/words.ts'
import { useUpdateBot } from '#app/api/actions.ts'
import { ApiError } from '#app/api/call.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { draftOf, guardProblems, hasTypedGuard, typedGuards } from './guard-draft.ts'
import { GuardFields } from './guard-fields.tsx'
import { GuardNote } from './guard-note.tsx'
import { useProblems } from './use-problems.ts'

type Props = { bot: Bot; open: boolean; onClose: () => void }

/** Sets, changes and removes the guards of a bot. Reopened, it shows those that the bot has. */
export function GuardsSheet({ bot, open, onClose }: Props) {
  return (
    <Sheet open={open} onClose={onClose} title={t('Guards')} description={bot.name}>
      <GuardsForm bot={bot} onClose={onClose} />
    </Sheet>
  )
}

function GuardsForm({ bot, onClose }: Omit<Props, 'open'>) {
  const [draft, setDraft] = useState(() => draftOf(bot.guards))
  const { form, problems, show, edited } = useProblems()
  const update = useUpdateBot()
  const submit = () => {
    const found = guardProblems(draft)
    show(found)
    if (found.length > 0) return
    update.mutate(
      { id: bot.id, guards: hasTypedGuard(draft) ? typedGuards(draft) : null },
      {
        onSuccess: () => {
          showToast({
            title: t('Guards Saved'),
            description: t('They count from the next hour on.'),
          })
          onClose()
        },
        onError: (error) => {
          showFailure(error, 'updateBot')
          if (error instanceof ApiError)
            show([{ title: '', description: error.message, field: error.field }])
        },
      },
    )
  }
  return (
    <Form ref={form} autoComplete="off" onSubmit={submit} className="flex flex-col gap-5">
      <GuardFields
        value={draft}
        problems={problems}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          edited(part)
        }}
      />
      <GuardNote strategy={strategyKey(bot)} />
      <div className="flex flex-col gap-3">
        <ActionButton type="submit" pending={update.isPending} pendingLabel={t('Saving...')}>
          {t('Save')}
        </ActionButton>
        <FailureNote error={update.error} action="updateBot" />
      </div>
    </Form>
  )
}
