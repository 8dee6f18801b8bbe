import { useState } from 'react'
import { ApiError } from '#app/api/call.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useAskHelp } from './ask-help.ts'
import { messageOf, WELCOME } from './help-text.ts'

export type Citation = { id: string; title: string }
export type ChatMessage = { id: number; role: 'user' | 'assistant'; content: string; timestamp: Date; citations: readonly Citation[]; note?: string }

/** The conversation and what is being typed. It lives as long as the screen: nothing of it is stored. */
export function useConversation() {
  const ask = useAskHelp()
  const [typed, setTyped] = useState('')
  // A page that comes to life began when the server rendered it, any other begins now.
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
        // The question goes back to where it was typed, unless something new stands there.
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

/** Where a model is at work and did not word this answer, that is said. */
function noteOn({ writtenBy }: { writtenBy?: string | undefined }, isModel: boolean): { note?: string } {
  return isModel && writtenBy === 'articles' ? { note: 'Help search: the AI gave no answer that our articles confirm, so this is the article itself.' } : {}
}

/** Asking too fast has a sentence of its own, which says what helps. */
function sentenceFor(error: Error): string {
  return error instanceof ApiError && error.status === 429 ? error.message : 'Failed to get AI response. Please try again.'
}
