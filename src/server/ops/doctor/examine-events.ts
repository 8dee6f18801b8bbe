import { isExposedAddress, readNatsAddress } from '#server/nats-address.ts'
import { reachNats } from '#server/events/nats-link.ts'
import type { Settings } from '#server/settings.ts'
import { ok, wrong, type Finding } from './finding.ts'

/** Examines the NATS server, by sending something to ourselves. A live book does not start with an exposed address: then the fault is named with the book. */
export async function examineEvents({ BOOK, EVENTS_URL: url }: Settings): Promise<Finding[]> {
  const address = url === undefined ? undefined : readNatsAddress(url)
  if (address === undefined) return []
  const complaint = await reachNats(address)
  const exposed = BOOK === 'paper' && isExposedAddress(address) ? [wrong('events address', 'others may read what EVENTS_URL carries: begin it with tls://')] : []
  return [...exposed, complaint === undefined ? ok('events', 'travel through the NATS server, which hands on what we send') : wrong('events', complaint)]
}
