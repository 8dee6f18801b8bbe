import { expect, test } from 'vitest'
import { readPushMessage } from './push-message.ts'

test('a message is shown with its title, text and tag, and opens its screen', () =>
  expect(
    readPushMessage(
      '{"title":"Deposit received","text":"It is in your ' +
        'balance.","lang":"de","tag":"1","path":"/history?receipt=2"}',
      'bots.example',
    ),
  ).toEqual({
    title: 'Deposit received',
    body: 'It is in your balance.',
    lang: 'de',
    tag: '1',
    path: '/history?receipt=2',
  }))

test.each(['', 'no json', 'null', '[]', '{"title":7}'])(
  '%j, which cannot be parsed, still shows a message',
  (text) =>
    expect(readPushMessage(text, 'bots.example')).toEqual({
      title: 'bots.example',
      body: '',
      lang: '',
      tag: 'notice',
      path: '/notices',
    }),
)

test.each([
  'https://elsewhere.example',
  '//elsewhere.example',
  '/\\elsewhere.example',
  'javascript:alert(1)',
  '',
  7,
])('the path %j is not opened', (path) =>
  expect(readPushMessage(JSON.stringify({ title: 'x', path }), 'bots.example').path).toBe(
    '/notices',
  ),
)

test.each(['', 'deutsch', 'x-', 7, null])(
  'the language %j is not passed on: a browser would show nothing',
  (lang) =>
    expect(readPushMessage(JSON.stringify({ title: 'x', lang }), 'bots.example').lang).toBe(''),
)
