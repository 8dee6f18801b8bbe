import { dirname, join, relative } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './scripts/compressed-plugin.ts'
import { prerender } from './scripts/prerender-plugin.ts'
import { serviceWorker } from './scripts/service-worker-plugin.ts'

export default defineConfig(({ command }) => {
  // A build started by a test inherits its NODE_ENV and would ship React's development half: 204 kB
  // of JS (brotli) instead of 138.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    plugins: [react(), tailwindcss(), prerender(), serviceWorker(), compressed()],
    resolve: {
      alias: {
        // React has had this hook itself since version 18; the router asks for the copy for older
        // ones.
        'use-sync-external-store/shim/index.js': 'react',
        // Messages come parsed: `src/words/german.ts`.
        '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
      },
    },
    build: {
      outDir: 'dist/app',
      license: { fileName: 'licenses.md' },
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          chunkFileNames: ({ name }) =>
            NAMED.test(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js',
          codeSplitting: { groups: chunks() },
        },
      },
    },
    server: { proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] ?? '5000'}` } },
  }
})

const APP = join(import.meta.dirname, 'src/app')

type Modules = {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null
}

/**
 * Files of code, in the order in which they take what their entries import from other folders. A
 * few files stay in the browser's cache across releases, instead of dozens of crumbs.
 */
const FILES = {
  // Home runs these before anybody uses it, and so does the landing page.
  design: ['main.tsx', 'home/home-screen.tsx'],
  welcome: ['auth/landing-screen.tsx'],
  // Figures are computed from the first event of prices on, when the screen stands.
  live: ['api/follow-events.ts'],
  // Answers are kept on the device a second after the screen.
  kept: ['pwa/last-known-store.ts'],
  // The log-in is the first page with a form.
  forms: ['auth/login-screen.tsx'],
  // The picture on a Home without money.
  outcome: ['home/start-outcome.tsx'],
}

/**
 * Every page carries the names of all files: short ones save half a kilobyte. Tests look for these
 * by name.
 */
const NAMED = /^(german|candle-drawing|(home|landing|login)-screen)$/

/** The libraries that all screens need are one file, and so is what else several screens share. */
function chunks() {
  return [
    // Home sends nothing and shows no list of pages: that half of the library comes with the
    // screens that do.
    {
      name: 'frame',
      test: new RegExp(
        'node_modules/(react|react-dom|scheduler|wouter|@tanstack)/' +
          '(?!.*/(mutationObserver|infiniteQueryObserver|useMutation|useInfiniteQuery)\\.js$)',
      ),
    },
    ...Object.entries(FILES).map(([file, paths]) => ({
      name: neededBy(
        paths.map((path) => join(APP, path)),
        file,
      ),
      debugName: file,
      test: /\/src\/(?!app\/(home\/|[^/]+$|.*-screen\.tsx$))/,
    })),
    {
      name: 'parts',
      minShareCount: 2,
      test: /@tanstack|\/src\/(contract|core|words|app\/(api|shell|ui))\//,
    },
    { name: folderOf, debugName: 'folders', minShareCount: 2, test: /\/src\/app\// },
  ].map((group, index) => ({ priority: 9 - index, ...group }))
}

const folderOf = (id: string) => relative(APP, dirname(id))

/** `file` for the modules that run before those at `entries`. */
function neededBy(entries: readonly string[], file: string) {
  let needed: Set<string> | undefined
  return (id: string, modules: Modules) => {
    needed ??= importedBy(entries, modules)
    return needed.has(id) ? file : null
  }
}

/** The modules at `entries`, and all that they import before they run. */
function importedBy(entries: readonly string[], modules: Modules): Set<string> {
  const found = new Set(entries)
  // A set that grows while it is walked is walked to its new end.
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
