import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)

/** Extensions of text files; pictures and fonts are compressed already. */
const TEXT = /\.(js|css|html|svg|webmanifest)$/

/**
 * Writes `name.br` beside every text file of the build, at the highest compression, for clients
 * that accept Brotli.
 */
export function compressed(): Plugin {
  let outDir = ''
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const names = (await readdir(outDir, { recursive: true })).filter((name) => TEXT.test(name))
        for (const name of names)
          await writeFile(
            join(outDir, `${name}.br`),
            await compress(await readFile(join(outDir, name))),
          )
      },
    },
  }
}
