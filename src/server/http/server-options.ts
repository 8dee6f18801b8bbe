import { LogController } from 'fastify'
import type { Context } from '#server/context.ts'
import { BlockList, isIPv6 } from 'node:net'
import type { Config } from '#server/settings/config.ts'

export const serverOptions = ({ config, log }: Pick<Context, 'config' | 'log'>) => ({
  loggerInstance: log,
  logController: new LogController({ disableRequestLogging: true }),
  trustProxy: trustedProxies(config),
  forceCloseConnections: true,
  // Disabled, because the framework's ten seconds would end a slow start on a busy machine or a
  // cold disk.
  pluginTimeout: 0,
})

/**
 * This machine, and networks that the internet does not route. Sources: RFC 1918, 3927, 4193, 6598.
 */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  PRIVATE.addSubnet(network, bits)
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6')

/** Proxies whose headers are trusted, in the framework's terms: `hop` 0 connects to us. */
type Trusted = false | string[] | ((address: string | undefined, hop: number) => boolean)

/**
 * Threat: whoever reaches this server past its proxy could claim any address. If TRUST_PROXY is a
 * number, the nearest proxy must connect from a private network; otherwise TRUST_PROXY must name
 * its network.
 */
function trustedProxies({ TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): Trusted {
  if (typeof TRUST_PROXY !== 'number') return TRUST_PROXY ?? false
  return (address, hop) => hop < TRUST_PROXY && (hop > 0 || isPrivate(address ?? ''))
}

function isPrivate(address: string): boolean {
  return PRIVATE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
