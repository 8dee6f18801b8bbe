import { useState } from 'react'
import { ApiError } from '#app/api/call.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useAskHelp } from './ask-help.ts'
import { messageOf, WELCOME } from './help-text.ts'

export type Citation = { id: string; title: string }
export type ChatMessage = { id: number; role: 'user' | 'assistant'; content: string; timestamp: Date; citations: readonly Citation[]; note?: string }

/** The conversation and the text being typed. Both live only as long as the screen and are never stored. */
export function useConversation() {
  const ask = useAskHelp()
  const [typed, setTyped] = useState('')
  // A hydrated page starts at the time of its server rendering, any other page now.
  const renderedAt = useDeviceFact({ onDevice: () => undefined, onPage: ({ at }) => at })
  const [messages, setMessages] = useState<readonly ChatMessage[]>(() => [
    { id: 0, role: 'assistant', content: WELCOME, citations: [], timestamp: renderedAt === undefined ? new Date() : new Date(renderedAt) },
  ])
  const send = (text: string) => {
    const question = text.trim()
    if (question === '' || ask.isPending) return
    setTyped('')
    setMessages((before) => [...before, messageNow({ id: before.length, role: 'user', content: question })])
    ask.mutate(question, {
      onSuccess: (reply) => {
        const answer = { role: 'assistant', content: messageOf(reply), citations: reply.citations ?? [], ...noteOn(reply, ask.isModel) } as const
        setMessages((before) => [...before, messageNow({ id: before.length, ...answer })])
      },
      onError: (error) => {
        // Put the question back into the input, unless the user has typed something new.
        setMessages((before) => before.slice(0, -1))
        setTyped((now) => now || question)
        showToast({ title: 'Chat Error', description: sentenceFor(error), tone: 'destructive' })
      },
    })
  }
  return { messages, typed, setTyped, send, isPending: ask.isPending, written: ask.written }
}

function messageNow(message: Omit<ChatMessage, 'timestamp' | 'citations'> & { citations?: readonly Citation[] }): ChatMessage {
  return { citations: [], ...message, timestamp: new Date() }
}

/** Notes when a model is configured but did not word this answer. */
function noteOn({ writtenBy }: { writtenBy?: string | undefined }, isModel: boolean): { note?: string } {
  return isModel && writtenBy === 'articles' ? { note: 'Help search: the AI gave no answer that our articles confirm, so this is the article itself.' } : {}
}

/** The rate limit has a message of its own, which says what to do. */
function sentenceFor(error: Error): string {
  return error instanceof ApiError && error.status === 429 ? error.message : 'Failed to get AI response. Please try again.'
}
