import { useState } from 'react'
import type { HelpAnswer } from '#contract/help.ts'
import type { StreamName } from '#contract/routes.ts'
import type { ResponseOf } from '#contract/calls.ts'
import { t } from '#words/words.ts'
import { useAction } from '#app/api/actions.ts'
import { ApiError, call, respond, type CallRequest } from '#app/api/call.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useConfig } from '#app/api/queries.ts'
import { deviceTime } from '#app/ui/device/clock.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
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
 * The conversation and the text being typed. Both are lost when the screen is left, and never
 * stored.
 */
export function useConversation() {
  const ask = useAskHelp()
  const [typed, setTyped] = useState('')
  // When the conversation starts: on a hydrated page, at the time of the server's rendering,
  // otherwise now.
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
        // Puts the question back into the input, unless the user has typed something new.
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

function noteOn(
  { writtenBy }: { writtenBy?: string | undefined },
  isModel: boolean,
): { note?: string } {
  if (!isModel || writtenBy !== 'articles') return {}
  return {
    note: t(
      'Help search: the AI gave no answer that our articles confirm, so this is the ' +
        'article itself.',
    ),
  }
}

function useAskHelp() {
  const isModel = useConfig().data?.assistant === 'AI Powered'
  const [written, setWritten] = useState('')
  const onPart = (part: string) => setWritten((before) => before + part)
  const ask = async (message: string): Promise<HelpAnswer> => {
    setWritten('')
    // Without a model the answer is not streamed, because it is immediate.
    return (
      (isModel ? await streamAnswer(message, onPart) : undefined) ??
      call('askHelp', { body: { message } })
    )
  }
  return { ...useAction('askHelp', ask), isModel, written }
}

/**
 * The answer at the end of the stream. Undefined if the stream broke; the caller must then repeat
 * the question without streaming. Throws refusals.
 */
async function streamAnswer(
  message: string,
  onPart: (part: string) => void,
): Promise<HelpAnswer | undefined> {
  try {
    for await (const event of stream('streamHelp', { body: { message } })) {
      if (event.kind === 'answer') return event.answer
      onPart(event.text)
    }
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error
  }
  return undefined
}

/**
 * Calls a route that answers with events and yields them as they arrive. A connection that breaks
 * ends the stream early, without an error.
 */
async function* stream<Name extends StreamName>(
  name: Name,
  request: CallRequest<Name>,
): AsyncGenerator<ResponseOf<Name>> {
  const { body } = await respond(name, request)
  if (body === null) return
  let open = ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const events = (open + decoder.decode(read.value, { stream: true })).split('\n\n')
    open = events.pop() ?? ''
    for (const event of events)
      if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length))
  }
}
