import { spawn } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { StartupError } from '#server/startup-error.ts'

type Log = { info(message: string): void }

/** The sources of the built app; test files are excluded. */
const SOURCES = ['src/app', 'src/contract', 'src/core', 'public', 'index.html', 'vite.config.ts', 'scripts/prerender-plugin.ts', 'scripts/service-worker-plugin.ts', 'package-lock.json']

const BUILD_TIMEOUT_MS = 300_000

/**
 * Returns the folder of the browser's app, `dist/app` below `root`, and first builds it if its sources have changed since the last build.
 * Vite runs in a process of its own, so that its memory is freed afterwards. Throws `StartupError` with Vite's last lines if the build
 * fails; the previous app then stays in place. `signal` aborts the build and leaves nothing behind.
 */
export async function buildApp({ root, log, signal }: { root: string; log: Log; signal?: AbortSignal }): Promise<string> {
  const app = join(root, 'dist', 'app')
  const hashFile = join(root, 'dist', 'app.sha256')
  const hash = await hashOfSources(root)
  if ((await isThere(join(app, 'index.html'))) && (await readIfThere(hashFile)) === hash) return app
  log.info('Building the app …')
  const draft = join(root, 'dist', `app-${process.pid}`)
  try {
    await runVite({ root, outDir: draft, signal })
    await rm(app, { recursive: true, force: true })
    await rename(draft, app)
    await writeFile(hashFile, hash)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return app
}

async function hashOfSources(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) await addToHash({ hash, root, path: source })
  return hash.digest('hex')
}

async function addToHash({ hash, root, path }: { hash: Hash; root: string; path: string }): Promise<void> {
  const file = join(root, path)
  if (!(await isThere(file))) return
  const isFolder = (await stat(file)).isDirectory()
  const names = isFolder ? (await readdir(file, { recursive: true })).toSorted() : ['']
  const paths = names.filter((name) => !/\.test\.tsx?$/.test(name)).map((name) => join(file, name))
  const contents = await Promise.all(paths.map(readFileOrFolder))
  for (const [index, content] of contents.entries()) hash.update(`${relative(root, paths[index] ?? '')}\0${content.length}\0`).update(content)
}

async function readFileOrFolder(path: string): Promise<Buffer> {
  return (await stat(path)).isDirectory() ? Buffer.alloc(0) : readFile(path)
}

function runVite({ root, outDir, signal }: { root: string; outDir: string; signal: AbortSignal | undefined }): Promise<void> {
  signal?.throwIfAborted()
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: BUILD_TIMEOUT_MS })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
    const end = () => void child.kill()
    signal?.addEventListener('abort', end)
    child.once('error', reject)
    child.once('close', (code) => {
      signal?.removeEventListener('abort', end)
      if (code === 0) resolve()
      else reject(new StartupError(`The app could not be built:\n${lastLines(Buffer.concat(output).toString())}`))
    })
  })
}

/** Without colors and stack traces. */
function lastLines(text: string): string {
  const lines = stripVTControlCharacters(text).trim().split('\n')
  return lines.filter((line) => !/^\s+at |^}|errors: \[/.test(line)).slice(-14).join('\n')
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
