import { useState } from 'react'
import type { NoticeSettings } from '#contract/notices.ts'
import { NOTICE_CHANNELS, type NoticeChannel } from '#core/notices/notice.ts'
import { Refusal } from '#core/refusal.ts'
import { topicTitle } from '#words/notice-text.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { msg, say, t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { useUser } from '#app/api/queries.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { AmountField } from '#app/ui/forms/fields.tsx'
import { Check } from '#app/ui/frame/later-icons.ts'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { isTypedPositive, readAmount } from '#app/ui/money/typed-amount.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useNoticeSettings, useUpdateNoticeSettings } from './notice-queries.ts'
import { PushDevices } from './push-devices.tsx'
import { WebhooksPart } from './webhooks-part.tsx'

const CHANNELS: Record<NoticeChannel, string> = {
  inbox: msg('Here'),
  mail: msg('Email'),
  push: msg('Push'),
}

export function NoticeSettingsScreen() {
  const settings = useNoticeSettings()
  return (
    <>
      <PageHeader screen="noticeSettings" backTo="/profile" />
      {settings.isError && (
        <div className="px-5">
          <LoadProblem
            message={t('Unable to load your settings')}
            onRetry={() => void settings.refetch()}
          />
        </div>
      )}
      {settings.isPending && <Skeleton className="mx-5 mt-4 h-72" />}
      {settings.data && (
        <>
          <Choices topics={settings.data.topics} />
          <LossLimit key={settings.data.lossLimit} limit={settings.data.lossLimit} />
          <PushDevices settings={settings.data} />
          <WebhooksPart />
        </>
      )}
    </>
  )
}

function Choices({ topics }: { topics: NoticeSettings['topics'] }) {
  const user = useUser().data
  return (
    <Section title={t('Notifications by channel')}>
      {user?.emailVerified === false && (
        <p className="pb-3 text-14 text-ink2">
          {t('Email goes to a verified address only. Add or verify yours on Profile.')}
        </p>
      )}
      <table className="w-full">
        <thead>
          <tr className="border-b border-hairline text-12 font-semibold text-ink2">
            <th scope="col" className="py-2 text-left">
              {t('Topic')}
            </th>
            {NOTICE_CHANNELS.map((channel) => (
              <th key={channel} scope="col" className="py-2 text-center font-medium">
                {say(CHANNELS[channel])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">
          {topics.map((topic) => (
            <TopicRow key={topic.topic} settings={topic} />
          ))}
        </tbody>
      </table>
      <p className="pt-3 text-14 text-ink2">
        {t('Security and ledger checks stay on: a thief would turn them off first.')}
      </p>
    </Section>
  )
}

function TopicRow({ settings }: { settings: NoticeSettings['topics'][number] }) {
  const update = useUpdateNoticeSettings()
  // A choice is shown at once, and reverted if it cannot be stored.
  const [chosen, setChosen] = useState<Partial<Record<NoticeChannel, boolean>>>({})
  const title = topicTitle(settings.topic)
  const isOn = (channel: NoticeChannel) => chosen[channel] ?? settings[channel]
  const choose = (channel: NoticeChannel, wanted: boolean) => {
    setChosen({ ...chosen, [channel]: wanted })
    update.mutate(
      { choice: { topic: settings.topic, channel, isOn: wanted } },
      {
        onError: (error) => {
          setChosen((before) => ({ ...before, [channel]: !wanted }))
          showFailure(error, 'updateNoticeSettings')
        },
      },
    )
  }
  return (
    <tr>
      <th scope="row" className="py-1 text-left text-14 font-medium">
        {title}
      </th>
      {NOTICE_CHANNELS.map((channel) => (
        <td key={channel} className="p-0 text-center">
          <Checkbox
            label={t('{topic}: {channel}', { topic: title, channel: say(CHANNELS[channel]) })}
            checked={isOn(channel)}
            disabled={settings.isFixed}
            onChange={(wanted) => choose(channel, wanted)}
          />
        </td>
      ))}
    </tr>
  )
}

function Checkbox({
  label,
  checked,
  disabled,
  onChange,
}: {
  label: string
  checked: boolean
  disabled: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <span className="relative grid h-[48px] min-w-[48px] place-items-center">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
        className={
          'peer absolute inset-0 size-full cursor-pointer appearance-none ' +
          'rounded-control disabled:cursor-default'
        }
      />
      <span
        aria-hidden="true"
        className={
          'pointer-events-none grid size-6 place-items-center rounded-stamp ' +
          'border-[1.5px] border-control text-on-accent peer-checked:border-accent ' +
          'peer-checked:bg-accent peer-disabled:opacity-60'
        }
      >
        {checked && <Check size={18} strokeWidth={3} />}
      </span>
    </span>
  )
}

/** The loss at which the user is notified. No bot is stopped. */
function LossLimit({ limit }: { limit: string | null }) {
  const update = useUpdateNoticeSettings()
  const [typed, setTyped] = useState(limit === null ? '' : typedDecimal(limit))
  const form = useForm({
    action: 'updateNoticeSettings',
    request: update,
    read: () => typed,
    check: (text) => ({ lossLimit: () => readLossLimit(text) }),
    send: (text) => update.mutateAsync({ lossLimit: readLossLimit(text) }),
    onDone: (_settings, text) =>
      showToast({
        title: readLossLimit(text) === null ? t('No loss limit') : t('Loss limit saved'),
      }),
  })
  return (
    <Section title={t('Loss limit')}>
      <p className="pb-3 text-14 text-ink2">
        {t(
          'You get a notification once trading has lost this much of all you ' +
            'deposited. Your bots keep trading.',
        )}
      </p>
      <Form form={form} className="grid gap-3">
        <AmountField
          label={t('Notify me at a loss of')}
          value={typed}
          onChange={setTyped}
          hint={t('Empty: no notification.')}
          {...form.field('lossLimit')}
        />
        <Submit form={form} look="outline" pendingLabel={t('Saving…')}>
          {t('Save')}
        </Submit>
      </Form>
    </Section>
  )
}

/** Null for no limit. */
function readLossLimit(typed: string): string | null {
  if (typed.trim() === '') return null
  const limit = readAmount(typed)
  if (limit === undefined || !isTypedPositive(typed)) throw new Refusal('loss-limit-invalid')
  return limit
}
