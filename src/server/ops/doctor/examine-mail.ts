import { openMail } from '#server/open-context.ts'
import type { Settings } from '#server/settings/settings.ts'
import { missing, ok, reasonOf, wrong, type Finding } from './finding.ts'

export async function examineMail(settings: Settings): Promise<Finding[]> {
  return [
    await examineServer(settings),
    ok('push', "its keys are made from the secret; messages go to the browsers' push services"),
  ]
}

async function examineServer(settings: Settings): Promise<Finding> {
  const { BOOK, MAIL_FROM, PUBLIC_URL } = settings
  const mail = openMail(settings)
  if (mail.provider === 'mailbox')
    return ok('mail', 'none is sent: npm run ops -- mail shows the messages of this paper book')
  if (mail.provider === 'none')
    return missing(
      'mail',
      'nobody can verify an address or set a new password by mail: set SMTP_URL and MAIL_FROM',
    )
  try {
    await mail.verify?.()
    if (BOOK === 'paper' && PUBLIC_URL === undefined)
      return wrong(
        'mail',
        'the mail server accepts us, but links in messages lead to localhost: set PUBLIC_URL',
      )
    return ok('mail', `the mail server accepts us; messages come from ${MAIL_FROM}`)
  } catch (error) {
    return wrong('mail', `the mail server does not accept us: check SMTP_URL (${reasonOf(error)})`)
  } finally {
    mail.close?.()
  }
}
