import { expect, test } from 'vitest'
import { preferredLanguage } from '#words/language.ts'
import { accepts, byQuality } from './by-quality.ts'
import { wantsPage } from './problems.ts'

test.each<[header: string | undefined, accepted: string[]]>([
  [undefined, []],
  ['', []],
  [' , ;q=1,', []],
  ['de', ['de']],
  ['en;q=0.2, de;q=0.9', ['de', 'en']],
  ['en; Q=0.2 , DE', ['de', 'en']],
  ['a;q=1.000,b;q=0.999,c', ['a', 'c', 'b']],
  ['a;q=0,b;q=0.0,c;q=0.000,d', ['d']],
  ['a;q=x,b;q=0.1,c;q=7,d;q=-1', ['b', 'a', 'c', 'd']],
])('the header %j is parsed as %j', (header, accepted) => {
  expect(byQuality(header).accepted).toEqual(accepted)
})

test.each<[header: string | undefined, language: string]>([
  [undefined, 'en'],
  ['de', 'de'],
  ['en;q=0.1,de;q=0.9', 'de'],
  ['de;q=0.1,en;q=0.9', 'en'],
  ['fr,de;q=0.5,en;q=0.4', 'de'],
  ['de;q=0,fr', 'en'],
  ['de-AT;q=0.8, en-US;q=0.7', 'de'],
  ['*', 'en'],
  ['*, de;q=0.5', 'en'],
  ['de;q=0.7,*;q=0.5', 'de'],
  ['den,fr', 'en'],
  ['deu', 'en'],
])('a browser that accepts %j gets %s', (header, language) => {
  expect(preferredLanguage(undefined, byQuality(header).accepted)).toBe(language)
})

test('a chosen language wins over every header', () => {
  expect([
    preferredLanguage('en', ['de']),
    preferredLanguage('de', []),
    preferredLanguage('xx', ['de']),
  ]).toEqual(['en', 'de', 'de'])
})

const asked = (accept: string | undefined, url = '/', method = 'GET') =>
  wantsPage({ method, url, headers: accept === undefined ? {} : { accept } })

test.each<[accept: string | undefined, isPage: boolean]>([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['text/*', true],
  ['text/html', true],
  ['TEXT/HTML;q=0.3', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
  ['application/json, */*;q=0.1', true],
  ['application/json', false],
  ['image/png', false],
  ['text/html;q=0', false],
  ['text/html;q=0, */*', false],
  ['text/*;q=0, */*', false],
  ['*/*;q=0', false],
])('a request that accepts %j gets a page: %s', (accept, isPage) => {
  expect(asked(accept)).toBe(isPage)
  expect(asked(accept, '/no/such/page', 'HEAD')).toBe(isPage)
})

test.each([
  ['/api'],
  ['/api/'],
  ['/api/nothing'],
  ['/api?a=1'],
  ['/assets/gone.js'],
  ['/health'],
  ['/metrics'],
  ['/.well-known/security.txt'],
])('a call to %s gets JSON, whatever its Accept header says', (url) => {
  expect([
    asked('text/html', url),
    asked('*/*', url),
    asked(undefined, url),
    asked('text/html', '/', 'POST'),
  ]).toEqual([false, false, false, false])
})

test.each<[header: string | undefined, isAccepted: boolean]>([
  [undefined, false],
  ['gzip', true],
  ['GZIP', true],
  ['br;q=1.0, gzip;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, br', false],
  ['*', true],
  ['gzip;q=0, *', false],
  ['br', false],
])('a client with the encodings %j gets gzip: %s', (header, isAccepted) => {
  expect(accepts(header, 'gzip', ['*'])).toBe(isAccepted)
})
