import { expect, test } from 'vitest'
import { urlBelow } from './url-below.ts'

test.each([
  ['http://a:1', 'http://a:1/journal?after=3'],
  ['http://a:1/', 'http://a:1/journal?after=3'],
  ['http://a:1/bridge', 'http://a:1/bridge/journal?after=3'],
  ['https://a/x/bridge//', 'https://a/x/bridge/journal?after=3'],
  ['http://u:p@a/bridge?x=1#y', 'http://u:p@a/bridge/journal?after=3'],
])('a path below %s keeps the path of that URL', (url, expected) => {
  expect(urlBelow(url, '/journal?after=3').href).toBe(expected)
})
