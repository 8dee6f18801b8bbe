import { expect, test, vi } from 'vitest'
import type { Outcome, Queries } from '#server/db/statement.ts'
import { LATE_MS, openOutgoing } from './outgoing.ts'

/** A process and its transactions, which end as the test says; `sent` are the counts and kinds of its messages. */
function openProcess() {
  const sent: (string | undefined)[] = []
  const outgoing = openOutgoing((message) => sent.push(/^\S+ (\d+ \w+)/.exec(message)?.[1]))
  const announce = async (text: string) => {
    let end: (outcome: Outcome) => void = () => undefined
    const transaction = Object.assign(async () => [{ life: '7', number: '11', past: '10' }], { whenOver: (act: typeof end) => (end = act) })
    await outgoing.announce(transaction as unknown as Queries, [text])
    return (outcome: Outcome) => end(outcome)
  }
  return { announce, sent, counted: () => Number(outgoing.beat().split(' ')[1]), leaves: () => outgoing.goodbye() !== undefined }
}

test('a text is sent when its transaction has committed, and never if it is undone', async () => {
  const { announce, sent, counted } = openProcess()
  const [first, second] = [await announce('one'), await announce('two')]
  expect(sent).toEqual([])
  second('committed')
  first('undone')
  expect([sent, counted()]).toEqual([['1 text'], 1])
})

test('a text whose commit is unknown or late is counted and not sent: hearers notice that something is missing', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { announce, sent, counted } = openProcess()
  const [lost, slow] = [await announce('one'), await announce('two')]
  lost('unknown')
  vi.advanceTimersByTime(LATE_MS)
  slow('committed')
  vi.useRealTimers()
  expect([sent, counted()]).toEqual([[], 2])
})

test('a process says goodbye once no transaction with a text is open', async () => {
  const { announce, leaves } = openProcess()
  const end = await announce('one')
  expect(leaves()).toBe(false)
  end('undone')
  expect(leaves()).toBe(true)
})
