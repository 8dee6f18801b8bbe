import { useState, type SubmitEvent } from 'react'
import type { Bot } from '#contract/bots.ts'
import { useUpdateBot } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'

export function RenameBotSheet({ bot, open, onClose }: { bot: Bot; open: boolean; onClose: () => void }) {
  const update = useUpdateBot()
  const [name, setName] = useState(bot.name)
  const [error, setError] = useState<string>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setError('Please enter a bot name')
    update.mutate(
      { id: bot.id, name: name.trim() },
      {
        onSuccess: onClose,
        onError: (failure) => showFailure(failure, { title: 'Failed to Update Bot', description: 'Failed to update trading bot.' }),
      },
    )
  }
  return (
    <Sheet open={open} onClose={onClose} title="Rename bot">
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label="Bot name"
          name="name"
          maxLength={50}
          autoComplete="off"
          value={name}
          error={error}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" pending={update.isPending} pendingLabel="Saving...">
          Save name
        </Button>
      </form>
    </Sheet>
  )
}
