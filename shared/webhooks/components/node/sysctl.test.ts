import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { setSysctl } from './systemd-unit.ts'

const set = (text: string): string =>
  setSysctl(text, { name: 'net.a', value: '0', comments: ['why', 'where'] })

test.each([
  ['is set where it stands', 'x = 1\nnet.a=1024\ny = 1\n', 'x = 1\nnet.a = 0\ny = 1\n'],
  ['is set each time', 'net.a = 1\nnet.a\t= a', 'net.a = 0\nnet.a = 0'],
  ['keeps the line breaks', 'net.a = 1\r\ny = 1\r\n', 'net.a = 0\r\ny = 1\r\n'],
  ['comes at the end, with its reasons', 'x = 1\n', 'x = 1\n\n# why\n# where\nnet.a = 0'],
  ['fills an empty file', '', '\n# why\n# where\nnet.a = 0'],
  ['is not set by a comment', '# net.a = 0', '# net.a = 0\n# why\n# where\nnet.a = 0'],
  ['is not one whose name begins the same', 'net.ab = 1', 'net.ab = 1\n# why\n# where\nnet.a = 0'],
  ['is not one with another dot', 'netxa = 1', 'netxa = 1\n# why\n# where\nnet.a = 0'],
])('a parameter %s', (_, before, after) => {
  expect(set(before)).toBe(after)
})

test('a parameter with the right value is not changed', () => {
  const line = fc.constantFrom('net.a', 'net.a=1', ' net.a = ', '# net.a = 1', 'b=c', '', '\r')
  fc.assert(
    fc.property(fc.array(line), lines => {
      const once = set(lines.join('\n'))
      expect(set(once)).toBe(once)
    }),
  )
})
