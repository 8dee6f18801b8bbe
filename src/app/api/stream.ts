import type { StreamName } from '#contract/routes.ts'
import type { ResponseOf } from '#contract/schemas.ts'
import { respond, type CallRequest } from './call.ts'

/**
 * Calls a route that answers with events and yields them as they arrive. A connection that breaks
 * ends the stream early, without an error.
 */
export async function* stream<Name extends StreamName>(
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
