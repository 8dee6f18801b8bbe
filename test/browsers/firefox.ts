import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram, PHONE, printed, startProgram, type Engine, type Installed } from './engine.ts'

/**
 * Firefox by WebDriver BiDi, which it speaks itself on a socket: geckodriver, the program for the
 * older protocol, is no Debian package.
 */

export const PACKAGES = 'firefox-esr'

export function find(): Installed | undefined {
  const program = findProgram(['firefox-esr', 'firefox'])
  return program === undefined
    ? undefined
    : { name: 'firefox', start: (folder) => start(program, folder) }
}

async function start(program: string, folder: string): Promise<Engine> {
  // The scrollbar takes no width, as on phones.
  await writeFile(join(folder, 'user.js'), 'user_pref("ui.useOverlayScrollbars", 1);')
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', folder]
  const browser = startProgram(program, { args, env: { HOME: folder } })
  const send = await connect(
    `${await printed(browser, /WebDriver BiDi listening on (ws:\S+)/)}/session`,
  )
  await send('session.new', { capabilities: {} })
  const { contexts } = await send<{ contexts: { context: string }[] }>(
    'browsingContext.getTree',
    {},
  )
  const context = contexts[0]?.context
  await send('browsingContext.setViewport', {
    context,
    viewport: { width: PHONE.width, height: PHONE.height },
    devicePixelRatio: PHONE.scale,
  })
  return {
    name: 'firefox',
    open: async (url) =>
      void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: async <Value>(expression: string) => {
      const script = `(async () => JSON.stringify(await (${expression})) ?? 'null')()`
      const answer = await send<Evaluated>('script.evaluate', {
        expression: script,
        target: { context },
        awaitPromise: true,
      })
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
      return JSON.parse(answer.result.value) as Value
    },
    perform: async (actions) => void (await send('input.performActions', { context, actions })),
    picture: async () =>
      Buffer.from(
        (await send<{ data: string }>('browsingContext.captureScreenshot', { context })).data,
        'base64',
      ),
    close: async () => {
      await send('browser.close', {})
      await browser.end()
    },
  }
}

type Evaluated =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } }
type Answer = {
  id: number | null
  type: 'success' | 'error' | 'event'
  result?: unknown
  message?: string
}
type Send = <Result>(method: string, params: object) => Promise<Result>

/** Sends commands over the socket; answers carry the number of their command. */
async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== null) waiting.get(answer.id)?.(answer)
  })
  let last = 0
  return async <Result>(method: string, params: object) => {
    const id = (last += 1)
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, result, message } = await answered
    waiting.delete(id)
    if (type === 'error') throw new Error(`${method}: ${message ?? 'failed'}`)
    return result as Result
  }
}
