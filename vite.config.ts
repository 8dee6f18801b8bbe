import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './scripts/compressed-plugin.ts'
import { drawnIcons } from './scripts/drawn-icons-plugin.ts'
import { leanRoutes } from './scripts/lean-routes-plugin.ts'
import { leanSource } from './scripts/lean-source-plugin.ts'
import { prerender } from './scripts/prerender-plugin.ts'
import { serviceWorker } from './scripts/service-worker-plugin.ts'

export default defineConfig(({ command }) => {
  // A build started by a test inherits its NODE_ENV and would ship React's development half: 204 kB
  // of JS (brotli) instead of 138.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    plugins: [
      react(),
      tailwindcss(),
      drawnIcons(),
      leanSource(),
      leanRoutes(),
      prerender(),
      serviceWorker(),
      compressed(),
    ],
    resolve: {
      alias: {
        // React has had this hook itself since version 18; the router asks for the copy for older
        // ones.
        'use-sync-external-store/shim/index.js': 'react',
        // Messages come parsed: `src/words/translator.ts`.
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

type Modules = {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; code: string | null } | null
}

/**
 * Pages run these before anybody uses them. A chunk holds the modules that Home needs, another
 * those that the landing page needs besides.
 */
const FIRST = {
  design: ['main.tsx', 'home/home-screen.tsx', 'pwa/install-card.tsx'],
  welcome: ['auth/landing-screen.tsx'],
}

/**
 * Every page carries the names of all files: short ones save half a kilobyte. Tests look for these
 * by name.
 */
const NAMED = /^(german|candle-drawing|(home|landing|login)-screen)$/

/**
 * A few files that stay in the browser's cache across releases, instead of dozens of crumbs.
 * Dialogs come with the screens that open them.
 */
function chunks() {
  const needed = new Map<string, Set<string>>()
  const firstChunk = (id: string, modules: Modules): string | null => {
    for (const [name, paths] of Object.entries(FIRST)) {
      const entries = paths.map((path) => resolve(import.meta.dirname, 'src/app', path))
      const all = needed.get(name) ?? importedBy(entries, modules)
      needed.set(name, all)
      if (all.has(id)) return name
    }
    return null
  }
  return [
    // Home sends nothing and shows no list of pages: that half of the library comes with the
    // screens that do.
    {
      name: 'frame',
      priority: 6,
      test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|@tanstack)\/(?!.*\/(mutationObserver|infiniteQueryObserver|useMutation|useInfiniteQuery)\.js$)/,
    },
    // The modules of `src/app` itself stay in the entry's file: Vite loads the complete styles with
    // the code of a screen only if they belong to another file.
    {
      name: firstChunk,
      priority: 5,
      test: /node_modules\/lucide-react\/|src\/(contract|core)\/|src\/app\/(api|articles|bots|evidence|history|market|pwa|shell|ui)\/(?!install-[cd])|src\/app\/auth\/(claim-card|other-languages)/,
    },
    // The code that computes figures comes with the first event of prices, when the screen stands.
    {
      name: 'live',
      priority: 4,
      test: /src\/app\/api\/(live-figures|portfolio-at|bot-at|grown-curve|priced-pools|refetch-later|with-ticks)|src\/core\/(bots\/(bot-worth|gain|hold-worth)|pool\/pool|trading\/(fee|costs)|market\/overlap|money\/(cents|percent))\.ts|src\/contract\/range-days/,
    },
    // So does what is kept on the device, a second after the screen.
    {
      name: 'kept',
      priority: 4,
      test: /src\/app\/(pwa\/(last-known-store|sealed)|ui\/device\/kept-text)/,
    },
    // The sheet that asks who it is comes by itself, with the first question.
    {
      name: 'proof',
      priority: 3,
      test: /src\/app\/(passkeys\/|proofs\/(asked-proof|call-with-proof|proof-outlet)|security\/(add-passkey-button|security-(queries|toasts)))/,
    },
    // Opened by links in messages, or seldom: fewer files, whose names every page carries.
    {
      name: 'recovery',
      priority: 4,
      test: /src\/app\/auth\/(forgot-password|reset-password|verify-email|not-me|done-note|link-queries)/,
    },
    { name: 'notices', priority: 4, test: /src\/app\/notices\/|src\/words\/notice-text/ },
    { name: 'dialogs', priority: 2, test: /src\/app\/ui\/overlays\// },
    {
      name: 'parts',
      priority: 1,
      minShareCount: 2,
      test: /node_modules\/(lucide-react|@tanstack)\/|src\/app\/(api|shell|ui\/(?!chart-canvas\/)|auth\/form-fields|history\/use-row-times|security\/recovery-codes-sheet|withdrawals\/cancel-button)|src\/(contract|core)\//,
    },
  ]
}

/** The modules at `entries`, and all that they import before they run. */
function importedBy(entries: readonly string[], modules: Modules): Set<string> {
  const found = new Set(entries)
  // A set that grows while it is walked is walked to its new end.
  for (const id of found) for (const imported of importsOf(id, modules)) found.add(imported)
  return found
}

const ICONS = /lucide-react\/dist\/esm\/lucide-react\.mjs$/

/** The icons come from one module that imports all of them: only those count that are named. */
function importsOf(id: string, modules: Modules): string[] {
  const info = modules.getModuleInfo(id)
  if (!info || ICONS.test(id)) return []
  const names =
    /import \{([^}]*)\} from ["']lucide-react["']/.exec(info.code ?? '')?.[1]?.split(',') ?? []
  const icons = info.importedIds.find((imported) => ICONS.test(imported)) ?? ''
  const listed = modules.getModuleInfo(icons)?.code ?? ''
  const files = names.map(
    (name) =>
      new RegExp(`default as ${name.trim()}\\b[^}]*\\} from '(.*?)'`).exec(listed)?.[1] ?? '',
  )
  return [...info.importedIds, ...files.map((file) => resolve(icons, '..', file))]
}
