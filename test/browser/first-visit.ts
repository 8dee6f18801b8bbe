import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'

/**
 * Ten packets of 1,460 bytes, which a server sends before it waits for the first acknowledgment.
 */
const TEN_PACKETS = 14_600

/** Expects the whole answer, headers included, as it arrives at the browser of a first visitor. */
export async function expectTenPackets(url: string, language: string): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const headers = { accept: 'text/html', 'accept-encoding': 'br', 'accept-language': language }
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { agent, headers }, resolve).once('error', reject),
  )
  const { socket } = response
  response.resume()
  await once(response, 'end')
  agent.destroy()
  expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, 'br'])
  expect(socket.bytesRead, 'the document was counted').toBeGreaterThan(
    Number(response.headers['content-length']),
  )
  expect(socket.bytesRead, `bytes in ${language}`).toBeLessThanOrEqual(TEN_PACKETS)
}
