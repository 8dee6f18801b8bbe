import { useId, useState } from 'react'
import type { Webhooks } from '#contract/notices.ts'
import { NOTICE_TOPICS, type NoticeTopic } from '#core/notices/notice.ts'
import { Refusal } from '#core/refusal.ts'
import { topicTitle } from '#words/notice-text.ts'
import { t } from '#words/words.ts'
import { showFailureAs } from '#app/api/failure-toast.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { CheckboxChip } from '#app/ui/forms/checkbox-chip.tsx'
import { FieldError, formFields, TextField } from '#app/ui/forms/fields.tsx'
import { useSaveWebhook } from './webhook-queries.ts'

/** A new webhook, or the change of one. */
export function WebhookForm({
  webhook,
  onSaved,
}: {
  webhook: Webhooks['webhooks'][number] | undefined
  onSaved: (webhooks: Webhooks) => void
}) {
  const save = useSaveWebhook(webhook?.id)
  const [topics, setTopics] = useState<readonly NoticeTopic[]>(webhook?.topics ?? [])
  const [newSecret, setNewSecret] = useState(false)
  const form = useForm({
    request: save,
    read: (element) => ({
      ...formFields(element, ['address']),
      topics: [...topics],
      newSecret,
    }),
    check: ({ address }) => ({
      address: () => checkGiven(address),
      topics: () => checkGiven(topics),
    }),
    send: (typed) => save.mutateAsync(typed),
    onDone: onSaved,
    fail: (error) =>
      showFailureAs(error, { title: t('Webhook not saved'), description: t('Please try again.') }),
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <TextField
        label={t('Address')}
        type="url"
        autoComplete="off"
        placeholder="https://"
        defaultValue={webhook?.address}
        {...form.field('address')}
      />
      <Topics chosen={topics} error={form.field('topics').error} onChoose={setTopics} />
      {webhook && (
        <CheckboxChip
          name="newSecret"
          value="yes"
          checked={newSecret}
          onToggle={() => setNewSecret(!newSecret)}
          text={t('Make a new secret')}
          detail={t('For a day, messages are signed with the old secret too.')}
        />
      )}
      <Submit form={form} pendingLabel={t('Saving…')}>
        {t('Save')}
      </Submit>
    </Form>
  )
}

function Topics({
  chosen,
  error,
  onChoose,
}: {
  chosen: readonly NoticeTopic[]
  error: string | undefined
  onChoose: (topics: readonly NoticeTopic[]) => void
}) {
  const id = useId()
  const toggle = (topic: NoticeTopic) =>
    onChoose(
      chosen.includes(topic) ? chosen.filter((other) => other !== topic) : [...chosen, topic],
    )
  return (
    <fieldset className="min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="mb-1.5 text-14 font-medium">{t('Topics')}</legend>
      <div
        data-wrong={error === undefined ? undefined : ''}
        className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] gap-2"
      >
        {NOTICE_TOPICS.map((topic) => (
          <CheckboxChip
            key={topic}
            name="topics"
            value={topic}
            checked={chosen.includes(topic)}
            onToggle={() => toggle(topic)}
            text={topicTitle(topic)}
          />
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

function checkGiven(given: string | readonly string[]): void {
  if (given.length === 0) throw new Refusal('required')
}
