import { Resolver } from 'node:dns/promises'
import { Agent } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

/**
 * Networks outside of the public internet. Source: IANA's special-purpose address registries (RFC
 * 6890).
 */
const PRIVATE_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A public address under which Azure's machines reach their host.
  ['168.63.129.16', 32],
] as const

/** Within IPv6's public range: protocols, Teredo, documentation and 6to4. */
const PRIVATE_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

/** IPv6 prefixes whose last 32 bits are an IPv4 address: mapped ones and NAT64. */
const CARRYING_IPV4 = ['::ffff:', '64:ff9b::']

const privateNetworks = new BlockList()
const publicIpv6 = new BlockList()
publicIpv6.addSubnet('2000::', 3, 'ipv6')
for (const prefix of CARRYING_IPV4) publicIpv6.addSubnet(`${prefix}0.0.0.0`, 96, 'ipv6')
for (const [network, bits] of PRIVATE_IPV6) privateNetworks.addSubnet(network, bits, 'ipv6')
for (const [network, bits] of PRIVATE_IPV4) {
  privateNetworks.addSubnet(network, bits, 'ipv4')
  for (const prefix of CARRYING_IPV4)
    privateNetworks.addSubnet(`${prefix}${network}`, 96 + bits, 'ipv6')
}

export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  if (version === 4) return !privateNetworks.check(address, 'ipv4')
  return publicIpv6.check(address, 'ipv6') && !privateNetworks.check(address, 'ipv6')
}

const HOST_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** The characters of paths and queries. Source: RFC 3986. */
const PATH = /^[\w\-.~%!$&'()*+,;=:@/?]*$/

/**
 * Threat: two parsers find different hosts in one text, such as
 * `https://127.0.0.1;.fcm.googleapis.com`. So the host must be a plain name and the port that of
 * HTTPS, and the called URL is composed from these parts.
 */
export function plainAddress(text: string): { hostname: string; address: string } | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const isPlain =
    protocol === 'https:' && [port, username, password, hash].every((part) => part === '')
  const path = `${pathname}${search}`
  return isPlain && HOST_NAME.test(hostname) && PATH.test(path)
    ? { hostname, address: `https://${hostname}${path}` }
    : undefined
}

export type Resolve = (hostname: string) => Promise<string[]>

/**
 * Queries the name servers directly, without the file of hosts. Threat: `dns.lookup` runs in Node's
 * four threads, where four names with unresponsive servers block files and cryptography too. A
 * resolver reads its list of servers once, so each look-up has its own.
 */
async function askNameServers(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const families = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  if (found.length === 0) throw new Error(`${hostname} has no address.`)
  return found
}

/**
 * For addresses given by users: connects only to the public internet. Threat: a name resolves into
 * our network, perhaps only at the second look-up. So the connection uses the very addresses that
 * were checked.
 */
export class PublicAgent extends Agent {
  readonly #lookup: LookupFunction

  constructor(resolve: Resolve = askNameServers) {
    super()
    const publicly = callbackify(async (hostname: string) => {
      const found = await resolve(hostname)
      if (found.length === 0 || !found.every(isPublicAddress)) throw refusal(hostname)
      return found.map((address) => ({ address, family: isIP(address) }))
    })
    this.#lookup = (hostname, { all }, callback) =>
      publicly(hostname, (error, found = []) => {
        const [first] = found
        if (error || all || first === undefined) callback(error, found)
        else callback(null, first.address, first.family)
      })
  }

  override createConnection(
    ...[options, callback]: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    const { host } = options
    // Checked here, because IP addresses are not looked up.
    if (host && isIP(host) !== 0 && !isPublicAddress(host)) throw refusal(host)
    return super.createConnection({ ...options, lookup: this.#lookup }, callback)
  }
}

function refusal(hostname: string): Error {
  return new Error(`${hostname} does not lead to the public internet: nothing is sent there.`)
}
