import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartupError } from '#server/kernel/errors.ts'
import { buildApp } from './build-app.ts'

let root: string
let lines: string[]
const log = { info: (line: string): void => void lines.push(line) }

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'app-build-'))
  lines = []
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'))
  await put('package.json', '{ "type": "module" }')
  await put('index.html', '<script type="module" src="/src/app/main.ts"></script>')
  await put('src/app/main.ts', "document.title = 'first'")
})

afterEach(() => rm(root, { recursive: true }))

async function put(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true })
  await writeFile(join(root, name), text)
}

test('the app is built once, and again only when its sources change', async () => {
  const app = await buildApp({ root, log })
  expect(await readFile(join(app, 'index.html'), 'utf8')).toContain('<script type="module"')
  await put('src/app/main.test.ts', 'a test is not part of the app')
  await buildApp({ root, log })
  expect(lines).toHaveLength(1)
  await put('src/app/main.ts', "document.title = 'second'")
  await buildApp({ root, log })
  expect(lines).toHaveLength(2)
})

test('a prebuilt app is not rebuilt if a start spells its folder differently', async () => {
  await buildApp({ root, log })
  await buildApp({ root: `${root}/`, log })
  expect(lines).toHaveLength(1)
})

test('a failed build reports why and keeps the previous app', async () => {
  const app = await buildApp({ root, log })
  await put('src/app/main.ts', "import './nowhere.ts'")
  const failed = buildApp({ root, log })
  await expect(failed).rejects.toThrow(StartupError)
  await expect(failed).rejects.toThrow(/The app could not be built:[^]*nowhere/)
  expect(await readFile(join(app, 'index.html'), 'utf8')).toContain('<script type="module"')
})

test.each(['#', '?', '*'])(
  'a folder with a %s in its path is reported, and nothing is built',
  async (sign) => {
    const folder = join(root, `my${sign}bots`)
    await mkdir(folder)
    const failed = buildApp({ root: folder, log })
    await expect(failed).rejects.toThrow(StartupError)
    await expect(failed).rejects.toThrow(
      `The app cannot be built in ${folder}, because the path of the folder has a ${sign} in ` +
        'it: move or rename the folder.',
    )
    expect(await readdir(folder)).toEqual([])
  },
)

/** Builds in another process, which then waits as a server does. */
async function buildElsewhere(): Promise<{ app: string; end: () => Promise<unknown> }> {
  const script = `
    import { buildApp } from ${JSON.stringify(join(import.meta.dirname, 'build-app.ts'))}
    console.log(await buildApp({ root: ${JSON.stringify(root)}, log: { info: () => undefined } }))
    setInterval(() => undefined, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [app] = (await once(child.stdout, 'data')) as [Buffer]
  return { app: app.toString().trim(), end: () => (child.kill(), once(child, 'close')) }
}

test('a build keeps the files of a running server and removes those no longer used', async () => {
  const running = await buildElsewhere()
  const files = await readdir(running.app, { recursive: true })
  await put('src/app/main.ts', "document.title = 'second'")
  const second = await buildApp({ root, log })
  expect(second).not.toBe(running.app)
  expect(await readdir(running.app, { recursive: true })).toEqual(files)
  await running.end()
  await put('src/app/main.ts', "document.title = 'third'")
  await buildApp({ root, log })
  const left = (await readdir(join(root, 'dist'))).filter((name) => !name.includes('.'))
  expect(left, 'this process uses the second and the third').toHaveLength(2)
  expect(left.map((name) => join(root, 'dist', name))).not.toContain(running.app)
})

test('two processes that build the same sources at once both get the app', async () => {
  const [here, there] = await Promise.all([buildApp({ root, log }), buildElsewhere()])
  await there.end()
  expect(there.app).toBe(here)
  expect(await readFile(join(here, 'index.html'), 'utf8')).toContain('<script type="module"')
})
