import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Refusal } from '#core/refusal.ts'

type Terminal = {
  ask: (question: string, options?: { hidden: boolean }) => Promise<string>
  say: (text: string) => void
  close: () => void
}

/** Questions go to stderr, so that output can be piped. Secret answers are not echoed. */
export function openTerminal(): Terminal {
  const { stdin, stderr } = process
  let isHidden = false
  const echo = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isHidden) stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({
    input: stdin,
    output: echo,
    terminal: stdin.isTTY,
    historySize: 0,
  })
  const answers = lines[Symbol.asyncIterator]()
  return {
    ask: async (question, options) => {
      stderr.write(`${question}: `)
      isHidden = options?.hidden === true
      const answer = await answers.next()
      if (isHidden && stdin.isTTY) stderr.write('\n')
      isHidden = false
      if (answer.done === true)
        throw new Refusal('invalid-input', {
          sentence:
            `${question}: there was no answer. Type it on a terminal, or give a line for each ` +
            'question.',
        })
      return answer.value
    },
    say: (text) => void stderr.write(`${text}\n`),
    close: () => lines.close(),
  }
}
