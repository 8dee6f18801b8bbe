/** Addresses inside of a network, each as somebody might write it. */
const INSIDE = [
  '127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001', '0', '0.0.0.0', '10.0.0.5', '172.16.0.1', '192.168.1.1',
  '169.254.169.254', '100.64.0.1', '100.100.100.200', '168.63.129.16', '192.0.2.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
  '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::1]', '[fe80::1]', '[fe80::1%25eth0]', '[fc00::1]',
  '[fd00:ec2::254]', '[fec0::1]', '[2002:7f00:1::]', '[2001::1]', '[2001:db8::1]', '[ff02::1]',
  'localhost', 'LOCALHOST', 'localhost.', 'localhost.localdomain', 'metadata.google.internal', 'router.lan', '①②⑦.⓪.⓪.①', '127。0。0。1', '１２７.0.0.1',
  '127%2e0%2e0%2e1', '127.0.0.1.nip.io', 'localtest.me',
] as const

/** Characters that parsers of addresses have read differently, between a host inside and the name of a service. */
const DIVIDERS = [
  ';', "'", '"', '`', '{', '}', '|', '^', '\\', '/', '?', '#', '@', ':', ',', ' ', '%', '%00', '%0a', '%2f', '%40', '%5c', '\t', '\n', '\r', '\u0000', '\u2024', '\u3002', '\uff0e', '\u2028',
  '\u00a0', '\u00ad', '\u200b', '!', '$', '&', '(', ')', '*', '+', '=', '~', '<', '>', '[', ']', '.:80/', '\\@', '/@', ':443@', ':x@', '://',
] as const

/** Ways to write an address at the service itself that no browser does. */
const oddAt = (service: string): string[] => [
  `http://${service}/x`, `HTTP://${service}/x`, `//${service}/x`, `${service}/x`, `https:${service}:80/x`, `https://${service}:80/x`, `https://${service}:8443/x`, `https://${service}:5432/`,
  `https://user@${service}/x`, `https://user:word@${service}/x`, `https://:@${service}:22/x`, `https://${service}./x`, `https://.${service}/x`, `https://a..${service}/x`, `https://evil${service}/x`,
  `https://${service}.evil.example/x`, `https://evil.example/${service}`, `https://evil.example?${service}`, `https://evil.example#.${service}`, `https://${service}/x#@127.0.0.1`,
  `https://${service.replace('.', '\u3002')}.evil.example/x`, `https://${service.replace(/[ao]/, '\u043e')}/x`, `https://xn--${service}/x\u0000`, `javascript://${service}/%0aalert(1)`, `data:text/plain,${service}`,
  `file:///etc/passwd`, `file://${service}/etc/passwd`, `ftp://${service}/x`, `gopher://${service}/x`, `dict://${service}/x`, `ldap://${service}/x`, `ws://${service}/x`, `blob:https://${service}/x`,
  `view-source:https://${service}/x`, `unix:/var/run/docker.sock`, `https://${service}/a b`, `https://${service}/"x"|y`, `https://${service}/x\nHost: 127.0.0.1`,
]

/** Addresses that somebody gives so that the product connects into its own network. `service`: a host that it does call. */
export function hostileAddresses(service: string): string[] {
  const inside = INSIDE.flatMap((host) => [`https://${host}/x`, `hTTpS://${host}:443/latest/meta-data`])
  const divided = DIVIDERS.flatMap((divider) => [`https://127.0.0.1${divider}.${service}/x`, `https://${service}${divider}@127.0.0.1/x`, `https://localhost${divider}${service}/x`])
  return [...new Set([...inside, ...divided, ...oddAt(service)])]
}

/** Addresses to which an attacker may let a name resolve. */
export const PRIVATE_ANSWERS = [
  '127.0.0.1', '0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.255.255', '192.168.0.1', '192.0.0.8', '198.19.0.1', '224.0.0.1', '255.255.255.255', '168.63.129.16',
  '::1', '::', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '2002:7f00:1::',
  '2001::1', '2001:db8::1', '3fff::1', '100::1', '5f00::1', 'fe80::1%lo', 'x', '',
] as const
