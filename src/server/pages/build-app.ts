import { spawn } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { codeOf, StartupError } from '#server/kernel/errors.ts'

type Log = { info(message: string): void }

/** Sources of the app, including Vite's plugins among the scripts, without tests. */
const SOURCES = [
  'src/app',
  'src/contract',
  'src/words',
  'src/core',
  'public',
  'index.html',
  'vite.config.ts',
  'scripts',
  'package-lock.json',
]

const BUILD_TIMEOUT_MINUTES = 30

type Building = { root: string; log: Log; signal?: AbortSignal }

/**
 * Returns the folder of the browser's app below `dist` of `root`, and builds it first if these
 * sources have no build yet. Each build has its own folder, so that a server still running an older
 * one keeps its files. Vite runs in its own process, to free its memory. Throws `StartupError` with
 * Vite's last lines. `signal` aborts the build and leaves nothing behind.
 */
export async function buildApp({ root, log, signal }: Building): Promise<string> {
  const dist = join(root, 'dist')
  const name = `app-${(await hashOfSources(root)).slice(0, 16)}`
  const app = join(dist, name)
  if (await isThere(join(app, 'index.html'))) {
    await markUsed(dist, name)
    return app
  }
  const sign = UNBUILDABLE.exec(root)?.[0]
  if (sign !== undefined)
    throw new StartupError(
      `The app cannot be built in ${root}, because the path of the folder has a ${sign} in ` +
        'it: move or rename the folder.',
    )
  log.info('Building the app …')
  const draft = join(dist, `draft-${process.pid}`)
  try {
    await runVite({ root, outDir: draft, signal })
    await markUsed(dist, name)
    await rename(draft, app).catch((error: unknown) => acceptOther(error))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await removeUnused(dist, name)
  return app
}

/**
 * Vite reads these signs in a path as parts of a URL or a pattern, and fails with an error that
 * names another file.
 */
const UNBUILDABLE = /[#?*]/

/** Ignores the error if another process has built the same sources first. */
function acceptOther(error: unknown): void {
  if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error
}

const MARK = /^app-[0-9a-f]{16}\.\d+$/

/**
 * Marks a build as used by an empty file named by the process id. Not possible in read-only files,
 * but there nothing is removed either.
 */
async function markUsed(dist: string, name: string): Promise<void> {
  await writeFile(join(dist, `${name}.${process.pid}`), '').catch(() => undefined)
}

/** Removes the builds that no running process uses, except `current`. */
async function removeUnused(dist: string, current: string): Promise<void> {
  const names = await readdir(dist)
  const builds = names.filter((name) => /^app-[0-9a-f]{16}$/.test(name))
  const marks = names.filter((name) => MARK.test(name))
  const living = marks.filter((mark) => isRunning(Number(mark.split('.')[1])))
  const unused = builds.filter(
    (build) => build !== current && !living.some((mark) => mark.startsWith(`${build}.`)),
  )
  for (const name of [...unused, ...marks.filter((mark) => !living.includes(mark))])
    await rm(join(dist, name), { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}

async function hashOfSources(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) await addToHash({ hash, root, path: source })
  return hash.digest('hex')
}

async function addToHash({
  hash,
  root,
  path,
}: {
  hash: Hash
  root: string
  path: string
}): Promise<void> {
  const file = join(root, path)
  if (!(await isThere(file))) return
  const isFolder = (await stat(file)).isDirectory()
  const names = isFolder ? (await readdir(file, { recursive: true })).toSorted() : ['']
  const paths = names.filter((name) => !/\.test\.tsx?$/.test(name)).map((name) => join(file, name))
  const contents = await Promise.all(paths.map(readFileOrFolder))
  for (const [index, content] of contents.entries())
    hash.update(`${relative(root, paths[index] ?? '')}\0${content.length}\0`).update(content)
}

async function readFileOrFolder(path: string): Promise<Buffer> {
  return (await stat(path)).isDirectory() ? Buffer.alloc(0) : readFile(path)
}

function runVite({
  root,
  outDir,
  signal,
}: {
  root: string
  outDir: string
  signal: AbortSignal | undefined
}): Promise<void> {
  signal?.throwIfAborted()
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: BUILD_TIMEOUT_MINUTES * 60_000,
    })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => output.push(chunk))
    const end = () => void child.kill()
    signal?.addEventListener('abort', end)
    child.once('error', reject)
    child.once('close', (code) => {
      signal?.removeEventListener('abort', end)
      if (code === 0) resolve()
      else if (code === null && signal?.aborted !== true)
        reject(
          new StartupError(`The app could not be built within ${BUILD_TIMEOUT_MINUTES} minutes.`),
        )
      else
        reject(
          new StartupError(
            `The app could not be built:\n${lastLines(Buffer.concat(output).toString())}`,
          ),
        )
    })
  })
}

/** The last lines of the output, without colors and stack traces. */
function lastLines(text: string): string {
  const lines = stripVTControlCharacters(text).trim().split('\n')
  return lines
    .filter((line) => !/^\s+at |^}|errors: \[/.test(line))
    .slice(-14)
    .join('\n')
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
