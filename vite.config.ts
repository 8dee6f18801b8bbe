import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './scripts/compressed-plugin.ts'
import { prerender } from './scripts/prerender-plugin.ts'
import { serviceWorker } from './scripts/service-worker-plugin.ts'

export default defineConfig(({ command }) => {
  // A build started by a test inherits its NODE_ENV and would ship React's development half: 204 kB of JS (brotli) instead of 138.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    plugins: [react(), tailwindcss(), prerender(), serviceWorker(), compressed()],
    build: {
      outDir: 'dist/app',
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    },
    server: { proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] ?? '5000'}` } },
  }
})

/** A few files that stay in the browser's cache across releases, instead of dozens of crumbs. Dialogs come with the screens that open them. */
const CHUNKS = [
  { name: 'frame', priority: 3, test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|@tanstack)\// },
  { name: 'tooltips', test: /node_modules\/(@radix-ui|radix-ui|@floating-ui)|src\/app\/ui\/overlays\/tooltip\./ },
  { name: 'dialogs', test: /src\/app\/ui\/overlays\/(?!(toast|toast-outlet|overlay-history|tooltip)\.)/ },
  {
    name: 'design',
    priority: 2,
    test: /node_modules\/lucide-react|src\/app\/(home\/hidden-balance|bots\/bot-(row|dot)|market\/(market-mark|stale-prices)|shell\/paper-stamp)\.|src\/app\/(api|ui)\/(?!forms\/|chart-canvas\/|money\/(amount-text|receipt)|frame\/(load-more|status-badge)|buttons\/(download-link|copy-button)|overlays\/(?!(toast|toast-outlet|overlay-history)\.))|src\/(contract\/(?!problem)|core\/(money|market|assert))/,
  },
]
