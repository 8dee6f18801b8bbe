import { useState } from 'react'
import { refusalOf } from '#contract/problem.ts'
import { checkBotName } from '#core/bots/bot.ts'
import { tidyName } from '#core/one-line.ts'
import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'

export function RenameBotSheet({
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
