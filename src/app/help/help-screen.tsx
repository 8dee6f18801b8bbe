import { lazy, Suspense, useRef, useState } from 'react'
import { msg, say, t } from '#words/words.ts'
import { CAN_LOSE, HOW_BOTS_DECIDE } from '#app/articles/article-titles.ts'
import { useConfig, useUser } from '#app/api/queries.ts'
import { ContactSupport } from '#app/shell/contact-support.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { useConversation, type Citation } from './conversation.ts'
import { MessageList } from './message-list.tsx'
import { QuestionForm } from './question-form.tsx'

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

/** The help chat, open to everyone. Signed-in users can also ask about their own figures. */
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
  // Sending removes the suggestion, so move the focus to where the answer will appear.
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

/** The badge: 'AI Powered' only if a model is configured. */
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
