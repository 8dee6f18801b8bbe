import type { NoticeKind } from '#core/notices/notice.ts'
import { moneyText } from '#words/figures.ts'
import { noticePath, noticeText } from '#words/notice-text.ts'
import { inLanguage } from '#server/in-language.ts'
import type { Delivery } from './delivery-store.ts'

/**
 * The content that the service worker shows. Without amounts, unless the user wants them: anybody
 * can read a locked screen.
 */
export function composePush({ kind, details, language, pushAmounts, noticeId }: Delivery): string {
  const notice = { kind: kind as NoticeKind, details }
  return inLanguage(language, () =>
    JSON.stringify({
      ...noticeText(notice, { print: pushAmounts ? moneyText : undefined }),
      lang: language,
      path: noticePath(notice),
      tag: noticeId,
    }),
  )
}

/** At most 32 characters of base64url. Source: RFC 8030, 5.4. */
export const topicOf = ({ noticeId, id }: Pick<Delivery, 'noticeId' | 'id'>): string =>
  (noticeId ?? id).replaceAll('-', '')
