import { expect, test } from 'vitest'
import { readSettings } from '#server/settings/config.ts'
import { createWorld } from '../../../test/world/world.ts'
import { securityTxt, SECURITY_TXT } from './plain-routes.ts'

const NOW = new Date('2026-11-23T08:00:00Z')

test('the security contact is SECURITY_CONTACT, or without it SUPPORT', () => {
  expect(
    securityTxt(
      { SECURITY_CONTACT: 'mailto:security@bots.example', SUPPORT: 'help@bots.example' },
      NOW,
    ),
  ).toContain('Contact: mailto:security@bots.example\n')
  expect(securityTxt({ SUPPORT: 'help@bots.example' }, NOW)).toContain(
    'Contact: mailto:help@bots.example\n',
  )
  expect(securityTxt({ SUPPORT: 'https://bots.example/help' }, NOW)).toContain(
    'Contact: https://bots.example/help\n',
  )
  expect(securityTxt({}, NOW)).toBeUndefined()
})

test('security.txt expires within a year, and contains its own address if that is known', () => {
  const text = securityTxt(
    { SUPPORT: 'help@bots.example', PUBLIC_URL: 'https://bots.example/' },
    NOW,
  )
  expect(text).toBe(
    'Contact: mailto:help@bots.example\nExpires: ' +
      '2027-05-22T08:00:00.000Z\nPreferred-Languages: en, de\nCanonical: ' +
      'https://bots.example/.well-known/security.txt\n',
  )
})

test.each([
  'security@bots.example',
  'http://bots.example',
  'https://bots.example\nContact: mailto:eve@evil.example',
])('SECURITY_CONTACT=%j is refused', (contact) =>
  expect(readSettings({ SECURITY_CONTACT: contact })).toEqual({
    wrong: ['The setting SECURITY_CONTACT is not valid: it begins with https:// or mailto:.'],
  }),
)

test('the server sends security.txt as plain text, or 404 if no contact is set', async () => {
  for (const [config, status] of [
    [{ SUPPORT: 'help@bots.example' }, 200],
    [{ SECURITY_CONTACT: undefined }, 404],
  ] as const) {
    const world = await createWorld({ config })
    const { statusCode, headers } = await world.app.inject({ url: SECURITY_TXT })
    await world.close()
    expect([statusCode, headers['content-type']]).toEqual([
      status,
      status === 200 ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    ])
  }
})
