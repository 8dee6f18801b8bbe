import type { CDPSession } from 'playwright-core'

/**
 * Traffic of a page since the watch began: its calls, the compressed bytes of each call, and the
 * number of events on the stream.
 */
export type Traffic = { calls: string[]; bytes: Map<string, number>; events: number }

/** A stream that was open before: its data belongs to none of the calls. */
export const STREAM_OF_BEFORE = 'the stream'

export async function watchTraffic(session: CDPSession): Promise<Traffic> {
  const traffic: Traffic = { calls: [], bytes: new Map(), events: 0 }
  const names = new Map<string, string>()
  const add = (requestId: string, count: number) => {
    const name = names.get(requestId) ?? STREAM_OF_BEFORE
    traffic.bytes.set(name, (traffic.bytes.get(name) ?? 0) + count)
  }
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const name = `${request.method} ${new URL(request.url).pathname}`
    names.set(requestId, name)
    traffic.calls.push(name)
  })
  session.on('Network.eventSourceMessageReceived', () => (traffic.events += 1))
  // Chromium knows the size of a compressed answer and its headers once the answer has ended. The
  // stream never ends: it is counted as it comes.
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    add(requestId, encodedDataLength),
  )
  session.on('Network.dataReceived', ({ requestId, dataLength, encodedDataLength }) => {
    if (!names.has(requestId)) add(requestId, encodedDataLength || dataLength)
  })
  return traffic
}
