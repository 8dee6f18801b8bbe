import { useState } from 'react'
import type { HelpAnswer } from '#contract/help.ts'
import { ApiError, call } from '#app/api/call.ts'
import { useAction, useConfig } from '#app/api/queries.ts'
import { stream } from '#app/api/stream.ts'

/** Asks the help. `written` is what a model has written so far of an answer that is under way. */
export function useAskHelp() {
  const isModel = useConfig().data?.assistant === 'AI Powered'
  const [written, setWritten] = useState('')
  const onPart = (part: string) => setWritten((before) => before + part)
  const ask = async (message: string): Promise<HelpAnswer> => {
    setWritten('')
    // Without a model the answer is there at once: there is nothing to wait for in parts.
    return (isModel ? await askInParts(message, onPart) : undefined) ?? call('askHelp', { body: { message } })
  }
  return { ...useAction(ask, []), isModel, written }
}

/** The answer at the end of the stream; undefined where the stream broke, so that it is asked for whole. Refusals are thrown. */
async function askInParts(message: string, onPart: (part: string) => void): Promise<HelpAnswer | undefined> {
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
