import { expect, test } from 'vitest'
import { coalesce } from './promises.ts'

test('a hundred simultaneous calls share two runs, begun after them', async () => {
  let [runs, running] = [0, 0]
  const gates: (() => void)[] = []
  const ask = coalesce(async (name) => {
    running += 1
    expect(running).toBe(1)
    runs += 1
    const mine = runs
    await new Promise<void>((resolve) => gates.push(resolve))
    running -= 1
    return `${name} ${mine}`
  })
  const answers = Array.from({ length: 100 }, () => ask('a'))
  gates.shift()?.()
  expect(await answers[0]).toBe('a 1')
  await expect.poll(() => gates.length).toBe(1)
  const late = ask('a')
  gates.shift()?.()
  expect(new Set(await Promise.all(answers.slice(1)))).toEqual(new Set(['a 2']))
  await expect.poll(() => gates.length).toBe(1)
  gates.shift()?.()
  expect(await late).toBe('a 3')
  expect(runs).toBe(3)
})

test('a failing run fails only the calls that share it', async () => {
  let runs = 0
  const ask = coalesce(async () => {
    runs += 1
    if (runs === 1) throw new Error('no answer')
    return runs
  })
  const [first, second] = [ask('a'), ask('a')]
  await expect(first).rejects.toThrow('no answer')
  expect(await second).toBe(2)
  expect(await ask('a')).toBe(3)
})
