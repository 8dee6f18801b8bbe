import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { answeringOnce } from '#server/http/in-flight.ts'
import { wantsPage } from '#server/http/problems.ts'
import { PAGE_SCRIPT } from './page-shell.ts'
import { openPages, PRERENDER_FILE } from './render-page.ts'

/** Serves the app's files, and a rendered page for every other path outside /api. */
export async function registerPages(
  app: FastifyInstance,
  context: Context,
  { directory }: { directory: string },
): Promise<void> {
  const file = join(directory, 'index.html')
  const sendPage = existsSync(file)
    ? openPages(context, { directory, page: readFileSync(file, 'utf8') })
    : undefined
  await app.register(fastifyStatic, {
    root: directory,
    index: false,
    wildcard: false,
    globIgnore: [PRERENDER_FILE, PAGE_SCRIPT, '**/*.br'],
    preCompressed: true,
    setHeaders: (response, path) => {
      const isHashed = path.includes('/assets/')
      response.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  app.setNotFoundHandler(
    answeringOnce((request, reply) => {
      if (!wantsPage(request) || sendPage === undefined) throw new Refusal('not-found')
      return sendPage(request, reply)
    }),
  )
  if (sendPage !== undefined) app.get('/', sendPage)
}
