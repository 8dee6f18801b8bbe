import { createGunzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { beginning, wireText } from './wire-text.ts'

test('each piece can be decoded as soon as it arrives', async () => {
  const gunzip = createGunzip()
  let read = ''
  gunzip.setEncoding('utf8').on('data', (text: string) => (read += text))
  gunzip.write(beginning.gzip)
  let sent = ''
  for (const piece of [
    'event: beat\ndata: {}\n\n',
    'event: prices\ndata: {"BTC":{"price":"1"}}\n\n',
    'event: beat\ndata: {}\n\n',
    'ä→🚀'.repeat(5_000),
  ]) {
    gunzip.write(wireText(piece).gzip().bytes)
    sent += piece
    await expect.poll(() => read).toBe(sent)
  }
  gunzip.destroy()
})

test('a chunk has the same bytes, preceded by their length in hexadecimal', () => {
  const { bytes, chunk } = wireText(`${'ä'.repeat(10)}\n`).text()
  expect([bytes.length, chunk.toString()]).toEqual([21, `15\r\n${'ä'.repeat(10)}\n\r\n`])
})
