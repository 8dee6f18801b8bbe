import { useEffect, useRef, type Ref } from 'react'
import { t } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { FileText } from '#app/ui/frame/later-icons.ts'
import type { ChatMessage, Citation } from './conversation.ts'
import { TextBlocks } from '#app/articles/text-blocks.tsx'

type Props = {
  messages: readonly ChatMessage[]
  isPending: boolean
  written: string
  onOpen: (citation: Citation) => void
  ref: Ref<HTMLDivElement>
}

const ANSWER_STYLE = 'max-w-[95%] border-l-2 border-accent pl-4 text-16'

/**
 * The conversation, announced by screen readers as it grows. Scrolls the last question to the top,
 * so that its answer is read from the start.
 */
export function MessageList({ messages, isPending, written, onOpen, ref }: Props) {
  const lastQuestion = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // `void`: newer browsers return a promise, which an effect must not return.
    void lastQuestion.current?.scrollIntoView({ block: 'start' })
  }, [messages.length])
  const lastQuestionId = messages.findLast(({ role }) => role === 'user')?.id
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="log"
      aria-live="polite"
      aria-label={t('Messages')}
      className="outline-none"
    >
      <ol className="flex flex-col gap-5">
        {messages.map((message) => (
          <li
            key={message.id}
            ref={message.id === lastQuestionId ? lastQuestion : null}
            className="flex scroll-mt-4 flex-col"
          >
            {message.role === 'user' ? (
              <Question message={message} />
            ) : (
              <Answer message={message} onOpen={onOpen} />
            )}
          </li>
        ))}
      </ol>
      {isPending && written !== '' && (
        <div className={`mt-5 ${ANSWER_STYLE}`}>
          <TextBlocks text={written} />
        </div>
      )}
      {isPending && (
        <p
          className={
            'text-16 text-ink2 motion-safe:animate-breathe ' +
            (written === '' ? 'mt-5' : 'mt-2 pl-4.5')
          }
        >
          {t('AI is thinking...')}
        </p>
      )}
    </div>
  )
}

function Question({ message: { content, timestamp } }: { message: ChatMessage }) {
  return (
    <>
      <p
        className={
          'ml-auto max-w-[85%] rounded-sheet rounded-br-stamp bg-raised px-4 py-2.5 text-16 ' +
          'whitespace-pre-wrap'
        }
      >
        <span className="sr-only">{t('You:')} </span>
        {content}
      </p>
      <Time at={timestamp} className="ml-auto" />
    </>
  )
}

function Answer({
  message: { content, timestamp, citations, note },
  onOpen,
}: {
  message: ChatMessage
  onOpen: (citation: Citation) => void
}) {
  return (
    <>
      <div className={ANSWER_STYLE}>
        <span className="sr-only">{t('Help:')} </span>
        <TextBlocks text={content} />
        {note && <p className="mt-2 text-14 text-ink2">{note}</p>}
        {citations.length > 0 && (
          <ul
            aria-label={t('Articles')}
            className="mt-2 flex flex-col border-t border-dotted border-control pt-1"
          >
            {citations.map((citation) => (
              <li key={citation.id}>
                <button
                  type="button"
                  onClick={() => onOpen(citation)}
                  className={
                    '-mx-2 flex min-h-12 items-center gap-2 rounded-control px-2 text-left ' +
                    'text-14 font-semibold text-accent hover:bg-raised'
                  }
                >
                  <FileText size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
                  {citation.title}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Time at={timestamp} className="pl-4.5" />
    </>
  )
}

function Time({ at, className }: { at: Date; className: string }) {
  const { clockText } = useDates()
  return (
    <time dateTime={at.toISOString()} className={`mt-1 text-12 text-ink3 ${className}`}>
      {clockText(at.toISOString())}
    </time>
  )
}
