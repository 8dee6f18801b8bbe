import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * A browser at the size of a phone. Each engine has its own protocol; pages are read by scripts and
 * touched by input, which both have in common.
 */
export type Engine = {
  name: string
  open: (url: string) => Promise<void>
  /** The value of an expression in the page. It passes through JSON; a promise is awaited. */
  evaluate: <Value>(expression: string) => Promise<Value>
  perform: (inputs: readonly Input[]) => Promise<void>
  /** A PNG file of what is on screen. */
  picture: () => Promise<Buffer>
  close: () => Promise<void>
}

export type Installed = { name: string; start: (folder: string) => Promise<Engine> }

/** Sources of input as W3C WebDriver and WebDriver BiDi define them. */
export type Input = { id: string; actions: readonly Action[] } & (
  | { type: 'key' }
  | { type: 'pointer'; parameters: { pointerType: 'mouse' } }
)
export type Action =
  | { type: 'keyDown' | 'keyUp'; value: string }
  | { type: 'pointerMove'; x: number; y: number; origin: 'viewport' }
  | { type: 'pointerDown' | 'pointerUp'; button: 0 }

export const PHONE = { width: 390, height: 844, scale: 2 } as const

/** The first of these programs that is installed. */
export function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(canRun)
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A running program; `output` is what it has printed so far. */
export type Program = { output: () => string; end: () => Promise<void> }

export function startProgram(
  path: string,
  { args, env }: { args: readonly string[]; env: Record<string, string> },
): Program {
  const child = spawn(path, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const read = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const program = {
    output: () => output,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
  living.add(program)
  child.once('exit', () => living.delete(program))
  return program
}

const living = new Set<Program>()

/** Ends all programs that an engine did not end itself. */
export async function endPrograms(): Promise<void> {
  await Promise.all([...living].map(({ end }) => end()))
}

/** The first group of `pattern` in what the program prints. */
export async function printed(program: Program, pattern: RegExp): Promise<string> {
  return eventually(`a program prints ${pattern}`, () => pattern.exec(program.output())?.[1])
}

const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 50

/**
 * The first thing that `look` finds. It may fail meanwhile, for example while the browser changes
 * pages; `what` names the expectation.
 */
export async function eventually<Found>(
  what: string,
  look: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      const found = await look()
      if (found !== undefined) return found
      if (Date.now() > deadline) throw new Error('it is not so')
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        })
    }
    await delay(LOOK_EVERY_MS)
  }
}
