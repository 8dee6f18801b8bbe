import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { LINK_HOURS, readLink, type Link, type LinkPurpose } from '#server/notices/link.ts'
import { throttle } from '#server/security/throttle.ts'
import { isOpenLink } from './email-store.ts'

type Pressed = {
  token: string
  client: { address: string }
  purpose: LinkPurpose
}

export async function openLink(
  { sql, config }: Context,
  { token, client, purpose }: Pressed,
): Promise<Link> {
  const key = `${purpose}-link:${client.address}`
  await throttle(sql, { key, limit: 30, windowSeconds: 3_600 })
  const link = readLink(token, { purpose, secret: config.SESSION_SECRET })
  if (!(await isOpenLink(sql, link, LINK_HOURS[purpose]))) throw new Refusal('link-invalid')
  return link
}
