import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, type Action, type Engine } from './engine.ts'
import { findInPage, type Place, type Role } from './in-page.ts'

/**
 * A person at the browser: finds things by what they are called, presses them where they are, and
 * types.
 */
export type User = {
  /** Opens an address of the product. */
  open: (path: string) => Promise<void>
  press: (role: Role, name: string | RegExp) => Promise<void>
  /** Replaces what is in a field. */
  fill: (label: string, text: string) => Promise<void>
  key: (value: string) => Promise<void>
  see: (text: string | RegExp) => Promise<void>
  seeNot: (text: string | RegExp) => Promise<void>
  until: (what: string, isTrue: () => Promise<boolean>) => Promise<void>
  evaluate: Engine['evaluate']
  picture: (name: string, options?: { atRest?: boolean }) => Promise<void>
  /** The errors since the last call that no code of the page handled. */
  takeFaults: () => Promise<readonly string[]>
}

/** Keeps the page's errors in its session, where a reload leaves them. */
const LISTEN = `['error', 'unhandledrejection'].forEach((name) =>
  addEventListener(name, ({ message, reason }) => {
    const known = JSON.parse(sessionStorage.faults ?? '[]')
    const fault = location.pathname + ': ' + (message ?? reason)
    sessionStorage.faults = JSON.stringify([...known, fault])
  }))`

/**
 * Sheets rise and figures load: a picture is taken once nothing but the endless animations moves. A
 * button behind a dialog stays busy while the dialog is open.
 */
const IS_AT_REST = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
  document.fonts.status === 'loaded'
    && ([...document.querySelectorAll('dialog:modal')].at(-1) ?? document)
      .querySelector('[class*=animate-breathe], [aria-busy=true]') === null
    && document.getAnimations().every(({ effect, playState }) =>
      playState !== 'running' || effect.getComputedTiming().endTime === Infinity))`

export function userOf(engine: Engine, { url, folder }: { url: string; folder: string }): User {
  const find = (role: Role, name: string | RegExp) => {
    const wanted = {
      role,
      name: typeof name === 'string' ? name : name.source,
      isPattern: typeof name !== 'string',
    }
    return engine.evaluate<Place>(`(${String(findInPage)})(${JSON.stringify(wanted)})`)
  }
  const press: User['press'] = async (role, name) => {
    const { x, y } = await settled(() => find(role, name), `${role} ${name} can be pressed`)
    await engine.perform([
      pointer([
        { type: 'pointerMove', x, y, origin: 'viewport' },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    ])
  }
  const type = (text: string) =>
    engine.perform([
      {
        type: 'key',
        id: 'keyboard',
        actions: [...text].flatMap(
          (value) =>
            [
              { type: 'keyDown', value },
              { type: 'keyUp', value },
            ] as const,
        ),
      },
    ])
  return {
    open: async (path) => {
      await engine.open(new URL(path, url).href)
      await engine.evaluate(`void (${LISTEN})`)
    },
    press,
    fill: async (label, text) => {
      await press('field', label)
      await engine.evaluate('document.activeElement.select?.()')
      await type(text)
    },
    key: type,
    see: (text) => until(`text ${text}`, async () => 'x' in (await find('text', text))),
    seeNot: (text) => until(`no text ${text}`, async () => 'problem' in (await find('text', text))),
    until,
    evaluate: engine.evaluate,
    picture: async (name, { atRest = true } = {}) => {
      if (atRest) await until(`${name} comes to rest`, () => engine.evaluate<boolean>(IS_AT_REST))
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, `${name}.png`), await engine.picture())
    },
    takeFaults: () =>
      engine.evaluate(
        `[JSON.parse(sessionStorage.faults ?? '[]'), delete sessionStorage.faults][0]`,
      ),
  }
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  await eventually(what, async () => (await isTrue()) || undefined)
}

function pointer(actions: readonly Action[]) {
  return { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions } as const
}

/** The place of something that has stopped moving. */
function settled(find: () => Promise<Place>, what: string): Promise<{ x: number; y: number }> {
  let before = { x: -1, y: -1 }
  return eventually(what, async () => {
    const place = await find()
    if ('problem' in place) throw new Error(place.problem)
    const isStill = place.x === before.x && place.y === before.y
    before = place
    return isStill ? place : undefined
  })
}
