import { brotliCompressSync } from 'node:zlib'
import fastify from 'fastify'
import type { Browser } from 'playwright-core'
import lighthouse, { desktopConfig, type Config, type Flags, type Result } from 'lighthouse'
import { screensFor, type ScreenName } from '#contract/screens.ts'
import { assert } from '#core/assert.ts'
import {
  freePort,
  makeDataDir,
  removeDataDir,
  startServer,
} from '../test/process/running-server.ts'
import { addressOf } from '../test/browser/address.ts'
import { launchBrowser } from '../test/browser/chromium.ts'
import { median, milliseconds } from './report.ts'
import { makeUser, type User } from './user.ts'

/**
 * Runs Lighthouse on every page with a slow phone, or with BENCH_PRESET=desktop: medians of several
 * runs. The largest paint is compared with a bare page on a bare server in the same run.
 * BENCH_PAGES selects pages by name, BENCH_ROUNDS sets the number of runs.
 */

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
/** The mobile preset is Lighthouse's default. */
const PRESETS: Record<string, Config | undefined> = { mobile: undefined, desktop: desktopConfig }
const PRESET = process.env['BENCH_PRESET'] ?? 'mobile'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const BARE_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bare</title><meta name="description" content="A bare page."></head>
<body><main><h1>Bare</h1><p>A page with nothing.</p></main></body></html>`

/**
 * `performance`: minimum score. `lcp`: maximum of the largest paint as a multiple of the bare
 * page's; for phones only.
 */
type Goal = { performance: number; lcp?: number }
type Page = { name: string; path: string; cookie?: string; goal: Goal }

export async function run(): Promise<void> {
  assert(PRESET in PRESETS, `BENCH_PRESET is ${Object.keys(PRESETS).join(' or ')}`)
  const dataDir = await makeDataDir()
  const port = await freePort()
  const [server, bare, browser] = await Promise.all([
    startServer({ dataDir }),
    startBarePage(),
    launchBrowser({ debuggingPort: port }),
  ])
  try {
    const pages = choose(pagesOf(await makeUser(server.url)))
    const bareLcp: number[] = []
    const results = new Map<string, Result[]>(pages.map(({ name }) => [name, []]))
    for (let round = 0; round < ROUNDS; round += 1) {
      bareLcp.push(lcpOf(await audit(bare.url, { browser, port })))
      for (const { name, path, cookie } of pages)
        results.get(name)?.push(await audit(`${server.url}${path}`, { browser, port, cookie }))
    }
    console.log(`preset ${PRESET}, bare page: largest paint ${milliseconds(median(bareLcp))}`)
    console.log(
      '| page | performance | accessibility | best practices | SEO | LCP | × bare | CLS | JS, ' +
        'brotli | third parties | target |',
    )
    console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|')
    for (const page of pages)
      await reportPage(page, {
        runs: results.get(page.name) ?? [],
        bareLcp: median(bareLcp),
        origin: server.url,
      })
    await reportPrecache(server.url)
  } finally {
    await browser.close()
    await Promise.all([server.stop(), bare.stop()])
    await removeDataDir(dataDir)
  }
}

const ALL = { performance: 100 }
const GOALS: Partial<Record<ScreenName, Goal>> = {
  landing: { ...ALL, lcp: 1.2 },
  login: ALL,
  signup: ALL,
  home: { ...ALL, lcp: 1.35 },
}
const OTHER_GOAL = { performance: 99 }

/** Every screen; those open to both users and visitors are measured for each. */
function pagesOf({ cookie, botId }: User): Page[] {
  const goalOf = (name: ScreenName) => GOALS[name] ?? OTHER_GOAL
  return [
    ...screensFor(false).map(({ name, path, access }) => ({
      name: access === 'both' ? `${name}, signed out` : name,
      path,
      goal: goalOf(name),
    })),
    ...screensFor(true).map(({ name, path }) => ({
      name,
      path: addressOf(path, botId),
      cookie,
      goal: goalOf(name),
    })),
  ]
}

function choose(pages: readonly Page[]): readonly Page[] {
  const names = process.env['BENCH_PAGES']?.split(',')
  return names === undefined ? pages : pages.filter(({ name }) => names.includes(name))
}

/** The baseline: Fastify with one page and nothing else. */
async function startBarePage(): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = fastify({ forceCloseConnections: true })
  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(BARE_PAGE))
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send())
  return { url: `${await app.listen({ host: '127.0.0.1', port: 0 })}/`, stop: () => app.close() }
}

type Visit = { browser: Browser; port: number; cookie?: string | undefined }

/**
 * Audits a first visit, so cookies of earlier audits are cleared. The session's cookies are set in
 * the browser.
 */
async function audit(url: string, { browser, port, cookie }: Visit): Promise<Result> {
  const session = await browser.newBrowserCDPSession()
  await session.send('Storage.clearCookies')
  const cookies = (cookie?.split('; ') ?? []).map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return { name, value, url }
  })
  await session.send('Storage.setCookies', { cookies })
  await session.detach()
  const flags: Flags = { port, output: 'json', logLevel: 'error', onlyCategories: [...CATEGORIES] }
  const answer = await lighthouse(url, flags, PRESETS[PRESET])
  assert(
    answer !== undefined && answer.lhr.runtimeError === undefined,
    `${url}: ${answer?.lhr.runtimeError?.message}`,
  )
  return answer.lhr
}

const numberOf = (lhr: Result, audited: string): number =>
  lhr.audits[audited]?.numericValue ?? Number.NaN
const lcpOf = (lhr: Result): number => numberOf(lhr, 'largest-contentful-paint')

type Loaded = { url: string; resourceType?: string }

/** The requests of a run over the network. */
function requestsOf(lhr: Result): Loaded[] {
  const details = lhr.audits['network-requests']?.details
  const items = details?.type === 'table' ? details.items : []
  return items.flatMap(({ url, resourceType }) =>
    typeof url === 'string' && url.startsWith('http')
      ? [{ url, resourceType: String(resourceType) }]
      : [],
  )
}

async function reportPage(
  { name, goal }: Page,
  { runs, bareLcp, origin }: { runs: Result[]; bareLcp: number; origin: string },
): Promise<void> {
  const scores = CATEGORIES.map((category) =>
    Math.round(100 * median(runs.map((lhr) => lhr.categories[category]?.score ?? 0))),
  )
  const [lcp, cls] = [
    median(runs.map(lcpOf)),
    median(runs.map((lhr) => numberOf(lhr, 'cumulative-layout-shift'))),
  ]
  const [last] = runs.slice(-1)
  const requests = last ? requestsOf(last) : []
  const scripts = await brotliBytes(
    requests.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url),
  )
  const thirdParties = requests.filter(({ url }) => new URL(url).origin !== origin).length
  const least = [goal.performance, 100, 100, 100]
  const missed = [
    ...scores.flatMap((score, index) =>
      score < (least[index] ?? 0) ? [`${CATEGORIES[index]} below ${least[index]}`] : [],
    ),
    ...(PRESET === 'mobile' && goal.lcp !== undefined && lcp > goal.lcp * bareLcp
      ? [`LCP above ${goal.lcp} × bare`]
      : []),
    ...(cls > 0.005 ? ['CLS above 0.005'] : []),
    ...(name === 'home' && scripts > 100_000 ? ['JS above 100 kB'] : []),
    ...(thirdParties > 0 ? ['third parties'] : []),
  ]
  const cells = [
    name,
    ...scores,
    milliseconds(lcp),
    (lcp / bareLcp).toFixed(2),
    cls.toFixed(3),
    kilobytes(scripts),
    thirdParties,
  ]
  console.log(
    `| ${cells.join(' | ')} | ${missed.length === 0 ? 'met' : `MISSED: ${missed.join(', ')}`} |`,
  )
  if (missed.length > 0 && last)
    for (const sentence of findings(last)) console.log(`  ${name}: ${sentence}`)
}

/** The audits that lower the score, in Lighthouse's words. */
function findings(lhr: Result): string[] {
  const weighty = CATEGORIES.flatMap(
    (category) =>
      lhr.categories[category]?.auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id) ??
      [],
  )
  return weighty.flatMap((id) => {
    const { score, title, displayValue } = lhr.audits[id] ?? {}
    return typeof score === 'number' && score < 0.995
      ? [`${id} ${Math.round(score * 100)}: ${title} ${displayValue ?? ''}`]
      : []
  })
}

/** Compresses the files itself, so that the figure does not depend on the browser's requests. */
async function brotliBytes(urls: readonly string[]): Promise<number> {
  const bodies = await Promise.all(
    [...new Set(urls)].map(async (url) => (await fetch(url)).arrayBuffer()),
  )
  return bodies.reduce((sum, body) => sum + brotliCompressSync(Buffer.from(body)).length, 0)
}

/** The transfer size of everything that the service worker caches. */
async function reportPrecache(origin: string): Promise<void> {
  const worker = await fetch(`${origin}/sw.js`)
  if (!worker.ok) return
  const kept = [
    ...new Set((await worker.text()).match(/\/assets\/[\w.-]+|\/index\.html|\/theme\.js/g) ?? []),
  ]
  const sizes = await Promise.all(
    kept.map(async (path) => sizeOf(path, await (await fetch(origin + path)).arrayBuffer())),
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  console.log(
    `precache: ${kept.length} files, ${kilobytes(bytes)} as brotli — target ≤ 400 kB: ` +
      (bytes <= 400_000 ? 'met' : 'MISSED'),
  )
}

/** A font is compressed already. */
function sizeOf(path: string, body: ArrayBuffer): number {
  return path.endsWith('.woff2') ? body.byteLength : brotliCompressSync(Buffer.from(body)).length
}

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`
