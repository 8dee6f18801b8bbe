import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { assert } from '#core/assert.ts'

/**
 * Browsers in a network of their own, as on another machine: over loopback, the write of a sender
 * also does the work of the receiver's TCP. Their packets are received on the second processor, and
 * the server writes on the first. Needs Linux, root and iproute2.
 */

const NAME = 'bench-streams'
const [HERE, THERE] = ['10.99.0.1', '10.99.0.2']

const run = (command: string): void => {
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  assert(status === 0, `${command}: ${stderr}`)
}

export function openNetwork(): { host: string; close: () => void } {
  run(`ip netns add ${NAME} && ip link add bench-here type veth peer name bench-there &&
      ip link set bench-there netns ${NAME}
    ip addr add ${HERE}/24 dev bench-here && ip link set bench-here up
    ip netns exec ${NAME} ip addr add ${THERE}/24 dev bench-there &&
      ip netns exec ${NAME} ip link set bench-there up
    ip netns exec ${NAME} sh -c 'echo 2 > /sys/class/net/bench-there/queues/rx-0/rps_cpus'`)
  return { host: HERE, close: () => run(`ip netns del ${NAME}`) }
}

export const pin = (pid: number): void => run(`taskset -a -p 1 ${pid}`)

export async function openBrowsers({
  host,
  port,
  count,
}: {
  host: string
  port: number
  count: number
}): Promise<ChildProcess> {
  const client = fileURLToPath(new URL('streams-client.ts', import.meta.url))
  const browsers = spawn(
    'ip',
    ['netns', 'exec', NAME, process.execPath, client, host, String(port), String(count)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(browsers.stdout, 'data')
  return browsers
}
