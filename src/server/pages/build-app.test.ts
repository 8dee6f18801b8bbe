import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartupError } from '#server/startup-error.ts'
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

test('an app that was built ahead is not built again by a start that names the folder differently', async () => {
  await buildApp({ root, log })
  await buildApp({ root: `${root}/`, log })
  expect(lines).toHaveLength(1)
})

test('a build that fails reports why and leaves the previous app in place', async () => {
  const app = await buildApp({ root, log })
  await put('src/app/main.ts', "import './nowhere.ts'")
  const failed = buildApp({ root, log })
  await expect(failed).rejects.toThrow(StartupError)
  await expect(failed).rejects.toThrow(/The app could not be built:[^]*nowhere/)
  expect(await readFile(join(app, 'index.html'), 'utf8')).toContain('<script type="module"')
})
