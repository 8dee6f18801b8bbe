import {
  eventually,
  findProgram,
  PHONE,
  printed,
  startProgram,
  type Engine,
  type Installed,
} from './engine.ts'
import { freePort } from '../process/running-server.ts'

/**
 * WebKit, the engine of Safari, in its GTK port: W3C WebDriver over HTTP. It has no headless mode,
 * so that it runs in a display of its own.
 */

export const PACKAGES = 'webkit2gtk-driver xvfb'

export function find(): Installed | undefined {
  const [driver, display] = [findProgram(['WebKitWebDriver']), findProgram(['Xvfb'])]
  return driver === undefined || display === undefined
    ? undefined
    : { name: 'webkit', start: (folder) => start({ driver, display, folder }) }
}

/** Full screen hides the browser's own bar; without a window manager the size is set afterwards. */
const CAPABILITIES = {
  alwaysMatch: { 'webkitgtk:browserOptions': { args: ['--automation', '--full-screen'] } },
}

async function start({
  driver,
  display,
  folder,
}: {
  driver: string
  display: string
  folder: string
}): Promise<Engine> {
  const pixels = `${PHONE.width * PHONE.scale}x${PHONE.height * PHONE.scale}x24`
  const screen = startProgram(display, {
    args: ['-displayfd', '1', '-screen', '0', pixels, '-nolisten', 'tcp'],
    env: {},
  })
  const env = {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CACHE_HOME: folder,
    DISPLAY: `:${await printed(screen, /^(\d+)\n/m)}`,
    GDK_SCALE: String(PHONE.scale),
  }
  const port = await freePort()
  const service = startProgram(driver, { args: [`--port=${port}`], env })
  const base = `http://127.0.0.1:${port}`
  await eventually('WebKitWebDriver answers', () => fetch(`${base}/status`).catch(() => undefined))
  const { sessionId } = await call<{ sessionId: string }>(`${base}/session`, {
    capabilities: CAPABILITIES,
  })
  const session = `${base}/session/${sessionId}`
  await call(`${session}/window/rect`, { width: PHONE.width, height: PHONE.height })
  return {
    name: 'webkit',
    open: async (url) => void (await call(`${session}/url`, { url })),
    evaluate: async <Value>(expression: string) => {
      const script =
        `const done = arguments[0]; (async () => JSON.stringify(await (${expression})) ?? ` +
        `'null')().then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = await call<{ value: string; error?: string }>(
        `${session}/execute/async`,
        { script, args: [] },
      )
      if (error !== undefined) throw new Error(error)
      return JSON.parse(value) as Value
    },
    perform: async (actions) => void (await call(`${session}/actions`, { actions })),
    picture: async () => Buffer.from(await call<string>(`${session}/screenshot`), 'base64'),
    close: async () => {
      await fetch(session, { method: 'DELETE' })
      await service.end()
      await screen.end()
    },
  }
}

/** Calls the driver: POST with a body, GET without. */
async function call<Value>(url: string, body?: object): Promise<Value> {
  const answer = await fetch(
    url,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  )
  const { value } = (await answer.json()) as { value: Value & { message?: string } }
  if (!answer.ok) throw new Error(`${new URL(url).pathname}: ${value.message ?? answer.status}`)
  return value
}
