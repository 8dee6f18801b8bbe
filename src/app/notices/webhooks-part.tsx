import { useRef, useState, type RefObject } from 'react'
import type { Webhooks } from '#contract/notices.ts'
import { noticeText, topicTitle } from '#words/notice-text.ts'
import { t } from '#words/words.ts'
import { showFailureAs } from '#app/api/failure-toast.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { ConfirmedButton } from '#app/ui/overlays/confirmed-button.tsx'
import { NO_SECRET, SecretSheet } from '#app/ui/overlays/secret-sheet.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useRemoveWebhook, useResendWebhook, useWebhooks } from './webhook-queries.ts'
import { WebhookForm } from './webhook-form.tsx'

type Webhook = Webhooks['webhooks'][number]

export function WebhooksPart() {
  const webhooks = useWebhooks()
  const [edited, setEdited] = useState<Webhook | 'new'>()
  const [secret, setSecret] = useState(NO_SECRET)
  const saved = ({ secret: text }: Webhooks) => {
    setEdited(undefined)
    if (text !== undefined) setSecret({ text, isShown: true })
  }
  return (
    <Section title={t('Webhooks')}>
      <p className="pb-3 text-14 text-ink2">
        {t(
          'Your own program gets your notifications at an https address. Each is signed as ' +
            'Standard Webhooks describes.',
        )}
      </p>
      <Loading query={webhooks} problem={t('Unable to load your webhooks')} className="h-13" />
      {webhooks.data && (
        <>
          <WebhookList webhooks={webhooks.data.webhooks} onChange={setEdited} />
          <div className="grid pt-3">
            <Button look="outline" onClick={() => setEdited('new')}>
              {t('Add a webhook')}
            </Button>
          </div>
          <Messages {...webhooks.data} />
        </>
      )}
      <Sheet
        open={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={t('Webhook')}
        description={t('Amounts and names of bots leave this service. Names of banks do not.')}
      >
        {edited && <WebhookForm webhook={edited === 'new' ? undefined : edited} onSaved={saved} />}
      </Sheet>
      <SecretSheet
        secret={secret}
        name="secret"
        title={t('Secret of the webhook')}
        description={t('Your program checks signatures with it. It is shown only now.')}
        onClose={setSecret}
      />
      <ProofOutlet />
    </Section>
  )
}

function WebhookList({
  webhooks,
  onChange,
}: Pick<Webhooks, 'webhooks'> & { onChange: (webhook: Webhook) => void }) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <ul ref={list} tabIndex={-1} aria-label={t('Your webhooks')} className="outline-none">
      {webhooks.map((webhook) => (
        <WebhookRow
          key={webhook.id}
          webhook={webhook}
          onChange={() => onChange(webhook)}
          list={list}
        />
      ))}
    </ul>
  )
}

function WebhookRow({
  webhook,
  onChange,
  list,
}: {
  webhook: Webhook
  onChange: () => void
  list: RefObject<HTMLUListElement | null>
}) {
  const { address, topics, createdAt, failingSince, isOn } = webhook
  const { dayText, momentText } = useDates()
  return (
    <li className="border-t border-hairline py-3">
      <p className="text-16 font-semibold wrap-anywhere">{address}</p>
      <p className="text-14 text-ink2">{topics.map(topicTitle).join(' · ')}</p>
      <p className={`text-14 ${failingSince === null ? 'text-ink2' : 'text-warn'}`}>
        {failingSince === null
          ? t('Since {day}', { day: dayText(createdAt) })
          : isOn
            ? t('Failing since {moment}', { moment: momentText(failingSince) })
            : t('This webhook is switched off. Save it to switch it on.')}
      </p>
      <div className="-mx-2 flex flex-wrap gap-x-3">
        <Button look="quiet" aria-label={t('Change {address}', { address })} onClick={onChange}>
          {t('Change')}
        </Button>
        <RemoveButton webhook={webhook} list={list} />
      </div>
    </li>
  )
}

function RemoveButton({
  webhook: { id, address },
  list,
}: {
  webhook: Webhook
  list: RefObject<HTMLUListElement | null>
}) {
  const remove = useRemoveWebhook()
  const confirmed = () =>
    remove.mutate(
      { id, address },
      {
        onSuccess: () => {
          list.current?.focus()
          showToast({ title: t('Webhook removed') })
        },
        onError: (error) => showFailureAs(error, failure(t('Webhook not removed'))),
      },
    )
  return (
    <ConfirmedButton
      look="quiet-danger"
      aria-label={t('Remove {address}', { address })}
      pending={remove.isPending}
      pendingLabel={t('Removing…')}
      question={t('Remove the webhook?')}
      why={t('{address} gets no more messages, not even waiting ones.', { address })}
      confirmLabel={t('Remove')}
      onConfirm={confirmed}
    >
      {t('Remove')}
    </ConfirmedButton>
  )
}

const failure = (title: string) => ({ title, description: t('Please try again.') })

type Message = Webhooks['messages'][number]

function Messages({ webhooks, messages }: Webhooks) {
  if (messages.length === 0) return null
  const hostOf = ({ webhookId }: Message) =>
    webhooks.flatMap(({ id, address }) => (id === webhookId ? [new URL(address).host] : []))
  return (
    <Disclosure summary={t('Last messages')} className="mt-3 border-y border-hairline">
      <ul className="divide-y divide-hairline">
        {messages.map((message) => (
          <MessageRow key={message.id} message={message} host={hostOf(message)} />
        ))}
      </ul>
    </Disclosure>
  )
}

function MessageRow({ message, host }: { message: Message; host: readonly string[] }) {
  const { id, kind, createdAt } = message
  const { momentText } = useDates()
  const resend = useResendWebhook()
  const { title } = noticeText({ kind, details: {} }, { print: undefined })
  const moment = momentText(createdAt)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-2">
      <div className="min-w-0 flex-[1_1_10rem] text-14">
        <p className="font-semibold">{title}</p>
        <p className="text-ink2 wrap-anywhere">{[moment, ...host].join(' · ')}</p>
        <p className="text-ink2">{stateText(message, momentText)}</p>
      </div>
      <Button
        look="quiet"
        className="-mr-2"
        aria-label={t('Send again: {title}, {moment}', { title, moment })}
        pending={resend.isPending}
        onClick={() =>
          resend.mutate(id, {
            onError: (error) => showFailureAs(error, failure(t('Message not sent'))),
          })
        }
      >
        {t('Send again')}
      </Button>
    </li>
  )
}

function stateText(
  { state, attempts, answer, nextAt }: Message,
  momentText: (timestamp: string) => string,
): string {
  const words = {
    count: attempts,
    answer: answer ?? t('none'),
    next: nextAt === null ? '' : momentText(nextAt),
  }
  if (state === 'sent') return t('sent · answer {answer}', words)
  if (state === 'given-up') return t('given up · answer {answer} · attempts {count}', words)
  return attempts === 0
    ? t('is being sent')
    : t('next attempt {next} · answer {answer} · attempts {count}', words)
}
