import { useState } from 'react'
import { t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { deviceTime } from '#app/ui/device/clock.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { useAskHelp } from './ask-help.ts'
import { messageOf, welcome } from './help-text.ts'

export type Citation = { id: string; title: string }
export type ChatMessage = {
  id: number
  role: 'user' | 'assistant'
  content: string
  timestamp: Date
  citations: readonly Citation[]
  note?: string
}

/**
 * The conversation and the text being typed. Both live only as long as the screen and are never
 * stored.
 */
export function useConversation() {
  const ask = useAskHelp()
  const [typed, setTyped] = useState('')
  // A hydrated page starts at the time of its server rendering, any other page now.
  const renderedAt = useDeviceFact({ onDevice: () => undefined, onPage: ({ at }) => at })
  const [messages, setMessages] = useState<readonly ChatMessage[]>(() => [
    {
      id: 0,
      role: 'assistant',
      content: welcome(),
      citations: [],
      timestamp: renderedAt === undefined ? deviceTime() : new Date(renderedAt),
    },
  ])
  const send = (text: string) => {
    const question = text.trim()
    if (question === '' || ask.isPending) return
    setTyped('')
    setMessages((before) => [
      ...before,
      messageNow({ id: before.length, role: 'user', content: question }),
    ])
    ask.mutate(question, {
      onSuccess: (reply) => {
        const answer = {
          role: 'assistant',
          content: messageOf(reply),
          citations: reply.citations ?? [],
          ...noteOn(reply, ask.isModel),
        } as const
        setMessages((before) => [...before, messageNow({ id: before.length, ...answer })])
      },
      onError: (error) => {
        // Put the question back into the input, unless the user has typed something new.
        setMessages((before) => before.slice(0, -1))
        setTyped((now) => now || question)
        showFailure(error, 'askHelp')
      },
    })
  }
  return { messages, typed, setTyped, send, isPending: ask.isPending, written: ask.written }
}

function messageNow(
  message: Omit<ChatMessage, 'timestamp' | 'citations'> & { citations?: readonly Citation[] },
): ChatMessage {
  return { citations: [], ...message, timestamp: deviceTime() }
}

/** Notes when a model is configured but did not word this answer. */
function noteOn(
  { writtenBy }: { writtenBy?: string | undefined },
  isModel: boolean,
): { note?: string } {
  if (!isModel || writtenBy !== 'articles') return {}
  return {
    note: t(
      'Help search: the AI gave no answer that our articles confirm, so this is the article itself.',
    ),
  }
}
