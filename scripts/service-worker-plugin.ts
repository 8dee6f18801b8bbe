import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const WORKER = 'src/app/pwa/worker/main.ts'

/** Files of `public/` that the page needs to start. */
const PAGE_FILES = ['theme.js']

/**
 * Writes `sw.js`: the worker with the list of the files that it caches. The shell is the page and
 * the files it needs to start (scripts, styles, preloaded font). The rest are the screens, fetched
 * while the app is idle, and the catalogs of the languages in use on the device. The name of the
 * build changes with any byte of the app.
 */
export function serviceWorker(): Plugin {
  let root = ''
  let publicDir = ''
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      root = config.root
      publicDir = config.publicDir
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const pageFiles = PAGE_FILES.map((name) => ({
          path: `/${name}`,
          content: readFileSync(join(publicDir, name)),
        }))
        const definitions = describe(bundle, pageFiles)
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: await bundleWorker(root, definitions),
        })
      },
    },
  }
}

type Definitions = {
  BUILD: string
  SHELL: string[]
  THE_REST: string[]
  WORDS: Record<string, string>
}
type PageFile = { path: string; content: Uint8Array }

function describe(bundle: Rolldown.OutputBundle, pageFiles: readonly PageFile[]): Definitions {
  const files = Object.values(bundle).toSorted((one, other) =>
    one.fileName < other.fileName ? -1 : 1,
  )
  const assets = files.map(({ fileName }) => fileName).filter((name) => name.startsWith('assets/'))
  const shell = shellOf(bundle, files)
  const words = assets.filter((name) => languageOf(bundle[name]) !== undefined)
  const hash = createHash('sha256')
  for (const { fileName, ...file } of files)
    hash.update(fileName).update(file.type === 'asset' ? file.source : file.code)
  for (const { path, content } of pageFiles) hash.update(path).update(content)
  return {
    BUILD: hash.digest('hex').slice(0, 12),
    SHELL: [
      '/index.html',
      ...pageFiles.map(({ path }) => path),
      ...assets.filter((name) => shell.has(name)).map(addressOf),
    ],
    // Fonts are cached when a screen first uses them.
    THE_REST: assets
      .filter((name) => !shell.has(name) && !name.endsWith('.woff2') && !words.includes(name))
      .map(addressOf),
    WORDS: Object.fromEntries(words.map((name) => [languageOf(bundle[name]), addressOf(name)])),
  }
}

const addressOf = (name: string) => `/${name}`

/** The language of a catalog file: 'de' for the one with `src/words/de.json`. */
function languageOf(
  file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined,
): string | undefined {
  const modules = file?.type === 'chunk' ? file.moduleIds : []
  return modules
    .map((id) => /\/src\/words\/(\w+)\.json/.exec(id)?.[1])
    .find((found) => found !== undefined)
}

/** The files in the page's HTML, and those that its entry imports, with their styles. */
function shellOf(
  bundle: Rolldown.OutputBundle,
  files: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[],
): Set<string> {
  const page = files.find(({ fileName }) => fileName === 'index.html')
  if (page?.type !== 'asset') throw new Error('the build has no index.html')
  const html = page.source.toString()
  const shell = new Set(files.map(({ fileName }) => fileName).filter((name) => html.includes(name)))
  const add = (name: string): void => {
    const file = bundle[name]
    if (file?.type !== 'chunk') return
    for (const style of file.viteMetadata?.importedCss ?? []) shell.add(style)
    for (const imported of [name, ...file.imports].filter((one) => !shell.has(one))) {
      shell.add(imported)
      add(imported)
    }
  }
  for (const file of files) if (file.type === 'chunk' && file.isEntry) add(file.fileName)
  return shell
}

async function bundleWorker(root: string, definitions: Definitions): Promise<string> {
  const define = Object.fromEntries(
    Object.entries(definitions).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  const result = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define,
    build: {
      write: false,
      rolldownOptions: { input: join(root, WORKER), output: { format: 'iife' } },
    },
  })
  const [worker] = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  if (worker?.type !== 'chunk') throw new Error(`${WORKER} could not be built`)
  return worker.code
}
