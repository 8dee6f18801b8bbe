import { appendFile, cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { APIRequestContext, BrowserContext, BrowserContextOptions } from 'playwright-core'
import type { ProvenName } from '#contract/calls.ts'
import { routes } from '#contract/routes.ts'
import { buildApp } from '#server/pages/build-app.ts'
import { openServer } from '#server/server.ts'
import { copyProject } from '../process/project-copy.ts'
import { freePort } from '../process/running-server.ts'
import { createWorld, proofRequest, type World } from '../world/world.ts'
import { launchBrowser, PHONE } from './chromium.ts'

const ROOT = join(import.meta.dirname, '../..')

const log = { info: () => undefined }

/**
 * The product over HTTP; as in a release, its app can be replaced by another build at the same
 * address.
 */
export type ServedWorld = {
  url: string
  world: World
  serve: (pages: string) => Promise<void>
  /** Stops the server until the next `serve`. */
  shut: () => Promise<void>
  close: () => Promise<void>
}

export async function serveWorld(): Promise<ServedWorld> {
  const [world, port] = await Promise.all([createWorld(), freePort()])
  let close: () => Promise<void> = async () => undefined
  const shut = async () => {
    await close()
    close = async () => undefined
  }
  return {
    url: `http://127.0.0.1:${port}`,
    world,
    serve: async (pages) => {
      await shut()
      const app = await openServer(world.context, { pages })
      close = () => app.close()
      await app.listen({ host: '127.0.0.1', port })
    },
    shut,
    close: async () => {
      await shut()
      await world.close()
    },
  }
}

export type Builds = { folders: string[]; remove: () => Promise<void> }

/**
 * A copy of this repository's build, which is made if missing; the copy stays intact if another
 * build runs meanwhile.
 */
async function ownBuild(): Promise<Builds> {
  const folder = await mkdtemp(join(tmpdir(), 'build-'))
  await cp(await buildApp({ root: ROOT, log }), folder, { recursive: true })
  return { folders: [folder], remove: () => rm(folder, { recursive: true, force: true }) }
}

/**
 * Real builds of the app that differ: each marks the page with its name and has its own file for
 * the history screen.
 */
export async function makeBuilds(names: readonly string[]): Promise<Builds> {
  const root = await copyProject()
  const folders: string[] = []
  for (const name of names) {
    await appendFile(
      join(root, 'src/app/main.tsx'),
      `\ndocument.documentElement.dataset['build'] = '${name}'\n`,
    )
    await appendFile(
      join(root, 'src/app/history/history-screen.tsx'),
      `\nif (typeof document !== 'undefined') document.documentElement.dataset['history'] = ` +
        `'${name}'\n`,
    )
    const built = await buildApp({ root, log })
    const folder = join(dirname(built), name)
    await rename(built, folder)
    folders.push(folder)
  }
  return { folders, remove: () => rm(root, { recursive: true, force: true }) }
}

/**
 * This repository's build over HTTP, and a browser with phones that open it. `release` serves the
 * build again after a shutdown.
 */
export type OpenedBuild = {
  served: ServedWorld
  release: () => Promise<void>
  openPhone: (options?: BrowserContextOptions) => Promise<BrowserContext>
  close: () => Promise<void>
}

export async function openBuild(): Promise<OpenedBuild> {
  const [served, build, browser] = await Promise.all([serveWorld(), ownBuild(), launchBrowser()])
  const release = () => served.serve(build.folders[0] ?? '')
  await release()
  const openPhone = (options?: BrowserContextOptions) =>
    browser.newContext({ ...PHONE, baseURL: served.url, ...options })
  const close = async () => {
    await browser.close()
    await Promise.all([served.close(), build.remove()])
  }
  return { served, release, openPhone, close }
}

export type Person = { username: string; firstName: string; lastName: string; email: string }

const PASSWORD = 'a long password'

/** Signs up a new user in the browser context that `request` belongs to. */
export async function signUpIn(request: APIRequestContext, person: Person): Promise<void> {
  const answer = await request.post('/api/auth/signup', {
    data: { ...person, password: PASSWORD },
    headers: OURS,
  })
  if (answer.status() !== 201) throw new Error(`sign-up failed: ${await answer.text()}`)
}

type Posting = { path: string; data?: object; headers?: Record<string, string> }

export async function post<Answer>(
  request: APIRequestContext,
  { path, data, headers = {} }: Posting,
): Promise<Answer> {
  const answer = await request.post(path, {
    headers: { ...OURS, ...headers },
    ...(data && { data }),
  })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json() as Promise<Answer>
}

/** Sends a proof with the password, then posts. */
export async function postProven<Answer>(
  request: APIRequestContext,
  { action, ...posting }: Posting & { action: ProvenName },
): Promise<Answer> {
  const data = proofRequest({ action, body: posting.data, password: PASSWORD })
  const { id } = await post<{ id: string }>(request, { path: routes.makeProof.path, data })
  return post(request, { ...posting, headers: { proof: id } })
}

const OURS = { 'sec-fetch-site': 'same-origin' }
