import { PROBLEMS } from '#contract/problem.ts'
import { say, t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { useMailbox } from './notice-queries.ts'
import type { Mailbox } from '#contract/notices.ts'

export function MailboxScreen() {
  const mailbox = useMailbox()
  const isElsewhere = mailbox.error instanceof ApiError && mailbox.error.code === 'not-found'
  return (
    <>
      <PageHeader screen="mailbox" backTo="/profile" />
      <div className="px-5">
        <p className="pb-4 text-14 text-ink2">
          {t(
            'This demo sends no mail. Your messages are kept here instead, except links ' +
              'to a new password.',
          )}
        </p>
        {isElsewhere && <p className="text-16">{say(PROBLEMS['not-found'].message)}</p>}
        {mailbox.isError && !isElsewhere && (
          <LoadProblem
            message={t('Unable to load your messages')}
            onRetry={() => void mailbox.refetch()}
          />
        )}
        {mailbox.isPending && <Skeleton className="h-72 w-full" />}
        {mailbox.data && <Messages messages={mailbox.data.messages} />}
      </div>
    </>
  )
}

function Messages({ messages }: { messages: Mailbox['messages'] }) {
  const { momentText } = useDates()
  if (messages.length === 0)
    return (
      <EmptyState title={t('No messages yet')}>
        {t('Add an email address on Profile: its first message has the link that verifies it.')}
      </EmptyState>
    )
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {messages.map(({ id, to, subject, text, language, sentAt }) => (
        <li key={id} className="py-4">
          <h2 lang={language} className="text-16 font-semibold">
            {subject}
          </h2>
          <p className="pb-2 text-14 text-ink2 wrap-anywhere">
            {to} · {momentText(sentAt)}
          </p>
          <Text text={text} language={language} />
        </li>
      ))}
    </ul>
  )
}

function Text({ text, language }: Pick<Mailbox['messages'][number], 'text' | 'language'>) {
  return (
    <div lang={language} className="grid gap-2 text-14 wrap-anywhere">
      {text
        .trim()
        .split('\n\n')
        .map((paragraph) => (
          <p key={paragraph}>
            {paragraph
              .split(/(https?:\/\/\S+)/)
              .map((piece, index) =>
                index % 2 === 0 ? piece : <OwnLink key={piece} address={piece} />,
              )}
          </p>
        ))}
    </div>
  )
}

/**
 * The link of a message, on the host of this page, because the page may be open under another name
 * than the configured one.
 */
function OwnLink({ address }: { address: string }) {
  const { pathname, search, hash } = new URL(address)
  return (
    <a
      href={pathname + search + hash}
      className="inline-flex min-h-12 items-center font-semibold text-accent underline"
    >
      {pathname}
    </a>
  )
}
