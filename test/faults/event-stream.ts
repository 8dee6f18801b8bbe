/** A browser's event stream: the names of the events received so far. */
export type EventStream = { heard: string[]; close: () => void }

export async function openEventStream(url: string, cookie: string): Promise<EventStream> {
  const ended = new AbortController()
  const answer = await fetch(`${url}/api/events`, { headers: { cookie }, signal: ended.signal })
  const heard: string[] = []
  const read = async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of answer.body ?? []) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines)
        if (line.startsWith('event: ')) heard.push(line.slice('event: '.length))
    }
  }
  // The stream ends with the server or with `close`; events received until then count.
  read().catch(() => undefined)
  return { heard, close: () => ended.abort() }
}
