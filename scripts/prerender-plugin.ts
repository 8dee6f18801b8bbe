import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin } from 'vite'

/** The app bundled into one file, with which the server renders pages. */
const PRERENDER = 'src/app/prerender.tsx'

/** The inline script of the rendered pages. */
const PAGE_SCRIPT = 'src/app/page-script.ts'

/** Writes `prerender.js` and `page-script.js`, which only the server reads. */
export function prerender(): Plugin {
  let root = ''
  return {
    name: 'prerender',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    async buildEnd(error) {
      if (error) return
      const shared: InlineConfig = { root, configFile: false, publicDir: false, logLevel: 'warn' }
      const output = { codeSplitting: false }
      const app = {
        plugins: [react()],
        ssr: { noExternal: true as const },
        build: {
          ssr: join(root, PRERENDER),
          write: false,
          minify: true,
          rolldownOptions: { output },
        },
      }
      const script = {
        build: {
          write: false,
          rolldownOptions: { input: join(root, PAGE_SCRIPT), output: { format: 'iife' as const } },
        },
      }
      this.emitFile({
        type: 'asset',
        fileName: 'prerender.js',
        source: await bundle({ ...shared, ...app }),
      })
      this.emitFile({
        type: 'asset',
        fileName: 'page-script.js',
        source: await bundle({ ...shared, ...script }),
      })
    },
  }
}

async function bundle(config: InlineConfig): Promise<string> {
  const result = await build(config)
  const chunks = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  const [only, ...others] = chunks.filter(({ type }) => type === 'chunk')
  if (only?.type !== 'chunk' || others.length > 0)
    throw new Error('a bundle for the server was split into several files')
  return only.code
}
