import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'

const ENTRY = 'src/app/prerender.tsx'

/** Writes `prerender.js`: the app once more, as one file that the server renders the landing page with. */
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
      this.emitFile({ type: 'asset', fileName: 'prerender.js', source: await bundle(root) })
    },
  }
}

async function bundle(root: string): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
    ssr: { noExternal: true },
    build: { ssr: join(root, ENTRY), write: false, minify: true, rolldownOptions: { output: { codeSplitting: false } } },
  })
  const chunks = (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []))
  const [only, ...others] = chunks.filter(({ type }) => type === 'chunk')
  if (only?.type !== 'chunk' || others.length > 0) throw new Error(`${ENTRY} did not become one file`)
  return only.code
}
