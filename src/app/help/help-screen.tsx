import { lazy, Suspense, useRef, useState, type KeyboardEvent } from 'react'
import { msg, say, t } from '#words/words.ts'
import { Form, useForm } from '#app/api/form.tsx'
import { useConfig, useUser } from '#app/api/queries.ts'
import { CAN_LOSE, HOW_BOTS_DECIDE } from '#app/articles/article-titles.ts'
import { ContactSupport } from '#app/shell/contact-support.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { useKeyboardHeight } from '#app/ui/device/keyboard.ts'
import { isEnter } from '#app/ui/device/typing.ts'
import { INPUT_STYLE } from '#app/ui/forms/fields.tsx'
import { ArrowUp } from '#app/ui/frame/later-icons.ts'
import { measureBar } from '#app/ui/frame/measure-bar.ts'
import { useConversation, type Citation } from './conversation.ts'
import { MessageList } from './message-list.tsx'

const ArticleSheet = lazy(async () => ({
  default: (await import('#app/articles/article-sheet.tsx')).ArticleSheet,
}))

const FIRST_QUESTIONS = [
  msg('What does it cost?'),
  CAN_LOSE,
  msg('How do I withdraw money?'),
  HOW_BOTS_DECIDE,
]
const OWN_QUESTIONS = [msg('What is my balance?'), msg('How are my bots doing?')]

export function HelpScreen() {
  const signedIn = Boolean(useUser().data)
  const { messages, typed, setTyped, send, isPending, written } = useConversation()
  const [cited, setCited] = useState<Citation>()
  const [isOpen, setIsOpen] = useState(false)
  const log = useRef<HTMLDivElement>(null)
  const open = (citation: Citation) => {
    setCited(citation)
    setIsOpen(true)
  }
  const asked = new Set(messages.map(({ content }) => content))
  const questions = (signedIn ? [...OWN_QUESTIONS, ...FIRST_QUESTIONS] : FIRST_QUESTIONS).map(
    (question) => say(question),
  )
  const suggested = questions.filter((question) => !asked.has(question))
  // Sending removes the focused suggestion, so the focus moves to where the answer will appear.
  const askSuggested = (question: string) => {
    send(question)
    log.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <PageHeader screen="help" {...(signedIn ? {} : { backTo: '/' })} />
      <AssistantMark />
      <div className="px-5 pt-4 pb-(--bar)">
        <MessageList
          ref={log}
          messages={messages}
          isPending={isPending}
          written={written}
          onOpen={open}
        />
        {!isPending && suggested.length > 0 && (
          <FirstQuestions questions={suggested} onAsk={askSuggested} />
        )}
        <ContactSupport className="mt-6" />
      </div>
      <QuestionForm typed={typed} onType={setTyped} onSend={send} isPending={isPending} />
      <Suspense>
        {cited && <ArticleSheet {...cited} open={isOpen} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  )
}

function AssistantMark() {
  const config = useConfig().data
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 px-5">
      {config && (
        <>
          <span
            className={
              'rounded-stamp border-[1.5px] border-accent px-2 py-0.5 text-14 font-semibold ' +
              'text-accent'
            }
          >
            {config.assistant === 'AI Powered' ? t('AI Powered') : t('Help search')}
          </span>
          <span className="text-12 text-ink2">{config.licence}</span>
        </>
      )}
    </div>
  )
}

function FirstQuestions({
  questions,
  onAsk,
}: {
  questions: readonly string[]
  onAsk: (question: string) => void
}) {
  return (
    <ul aria-label={t('Suggested questions')} className="mt-6 flex flex-wrap gap-2">
      {questions.map((question) => (
        <li key={question}>
          <button
            type="button"
            onClick={() => onAsk(question)}
            className={
              'min-h-12 rounded-control border border-control px-4 text-16 font-semibold ' +
              'transition-transform duration-120 active:scale-[0.97]'
            }
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}

/**
 * Sits above the tabs, or above the on-screen keyboard. Enter sends, Shift+Enter starts a new line,
 * and the input keeps the focus.
 */
function QuestionForm({
  typed,
  onType,
  onSend,
  isPending,
}: {
  typed: string
  onType: (typed: string) => void
  onSend: (text: string) => void
  isPending: boolean
}) {
  const input = useRef<HTMLTextAreaElement>(null)
  const keyboardHeight = useKeyboardHeight()
  const form = useForm({
    read: () => typed,
    check: () => ({}),
    send: (question) => {
      onSend(question)
      input.current?.focus()
    },
  })
  const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!isEnter(event.nativeEvent) || event.shiftKey) return
    event.preventDefault()
    onSend(typed)
  }
  return (
    <div
      ref={measureBar}
      className="fixed right-0 bottom-(--tabs) left-(--rail) z-20 pb-(--foot)"
      style={keyboardHeight > 0 ? { bottom: keyboardHeight, paddingBottom: 0 } : undefined}
    >
      <Form
        form={form}
        className={
          'mx-auto flex max-w-page items-end gap-2 border-t border-hairline bg-paper px-5 py-2'
        }
      >
        <textarea
          ref={input}
          aria-label={t('Your question')}
          rows={1}
          enterKeyHint="send"
          placeholder={t('Ask about fees, bots…')}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={sendOnEnter}
          className={
            INPUT_STYLE + ' field-sizing-content max-h-[min(10rem,25dvh)] resize-none py-3'
          }
        />
        <SendButton disabled={isPending || typed.trim() === ''} />
      </Form>
    </div>
  )
}

function SendButton({ disabled }: { disabled: boolean }) {
  return (
    <button
      type="submit"
      aria-label={t('Send')}
      disabled={disabled}
      onPointerDown={(event) => event.preventDefault()}
      className={
        'grid size-[52px] shrink-0 place-items-center rounded-control border-[1.5px] ' +
        'border-transparent bg-accent text-on-accent transition-[transform,opacity] ' +
        'duration-120 active:scale-95 disabled:opacity-60'
      }
    >
      <ArrowUp size={24} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
