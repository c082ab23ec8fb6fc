import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinCommandLine, splitCommandLine } from './systemd-unit.ts'

test.each<[string, string, string[]]>([
  ['blanks and continued lines', 'a \\\n    --b=1  --c\\\n\t$D', ['a', '--b=1', '--c', '$D']],
  ['nothing', ' \\\n ', []],
  ['quotes', `a --b="c  d" 'e f'g`, ['a', '--b="c  d"', `'e f'g`]],
  ['quotes within quotes', `a "b 'c' \\" d" e`, ['a', `"b 'c' \\" d"`, 'e']],
  ['escapes', 'a b\\x20c d\\;', ['a', 'b\\x20c', 'd\\;']],
  ['a quote that nobody ends', `a "b c`, ['a', `"b c`]],
  ['a backslash at the end', 'a \\', ['a']],
])('a command line is split at %s', (_, line, items) => {
  expect(splitCommandLine(line)).toEqual(items)
})

test('each item except the first two is on its own line', () => {
  expect(joinCommandLine(['a', '-b', '-c', '-d'])).toBe('a -b \\\n    -c \\\n    -d')
  expect(joinCommandLine(['a'])).toBe('a')
  expect(joinCommandLine([])).toBe('')
})

test('joined items are split into the same items', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '-', ' ', '\\', '\n', '"', "'", '$', '\r') })
  fc.assert(
    fc.property(line, text => {
      const items = splitCommandLine(text)
      expect(splitCommandLine(joinCommandLine(items))).toEqual(items)
    }),
    { numRuns: 5_000 },
  )
})
