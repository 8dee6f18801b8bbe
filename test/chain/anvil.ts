import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../process/running-server.ts'

export type Anvil = {
  url: string
  send: (method: string, params: unknown[]) => Promise<unknown>
  stop: () => Promise<void>
}

const START_TIMEOUT_MS = 300_000

/** A local chain: anvil from the package, or the program at ANVIL_PATH. */
export async function startAnvil({ chainId }: { chainId: number }): Promise<Anvil> {
  const packaged = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'anvil')
  const program = process.env['ANVIL_PATH'] ?? packaged
  if (!existsSync(program))
    throw new Error(
      'anvil is in a package for Linux x64 only: elsewhere install Foundry and name its anvil ' +
        'in ANVIL_PATH.',
    )
  const port = await freePort()
  const child = spawn(
    program,
    ['--port', String(port), '--chain-id', String(chainId), '--silent'],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}`
  const send = async (method: string, params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const { result, error } = (await answer.json()) as {
      result?: unknown
      error?: { message: string }
    }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  await answered(send)
  return {
    url,
    send,
    stop: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function answered(send: Anvil['send']): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while ((await send('eth_chainId', []).catch(() => undefined)) === undefined) {
    if (Date.now() > deadline) throw new Error('anvil does not answer')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
