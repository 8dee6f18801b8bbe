import { useState } from 'react'
import type { HelpAnswer } from '#contract/help.ts'
import { ApiError, call } from '#app/api/call.ts'
import { useAction } from '#app/api/actions.ts'
import { useConfig } from '#app/api/queries.ts'
import { stream } from '#app/api/stream.ts'

/**
 * Sends a question. `written` is the part of the pending answer that a model has written so far.
 */
export function useAskHelp() {
  const isModel = useConfig().data?.assistant === 'AI Powered'
  const [written, setWritten] = useState('')
  const onPart = (part: string) => setWritten((before) => before + part)
  const ask = async (message: string): Promise<HelpAnswer> => {
    setWritten('')
    // Without a model the answer is immediate, so there is nothing to stream.
    return (
      (isModel ? await streamAnswer(message, onPart) : undefined) ??
      call('askHelp', { body: { message } })
    )
  }
  return { ...useAction(ask, []), isModel, written }
}

/**
 * The answer at the end of the stream. Undefined if the stream broke, so that the caller asks again
 * without streaming. Refusals are thrown.
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
