import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A few files that stay in the browser's cache across releases, instead of dozens of crumbs. Radix comes with the screens that need it.
          groups: [
            { name: 'frame', priority: 3, test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|@tanstack)\// },
            { name: 'dialogs', test: /node_modules\/(@radix-ui|radix-ui|@floating-ui|react-remove-scroll|aria-hidden)|src\/app\/ui\/(sheet|confirm-dialog|toaster|tooltip)\./ },
            { name: 'design', priority: 2, test: /node_modules\/lucide-react|src\/app\/(api|ui)\/(?!sheet|confirm-dialog|toaster|tooltip)|src\/core\/(money|market|assert)/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] ?? '5000'}` } },
})
