import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changeOption,
  ensureOption,
  formatUnit,
  joinCommandLine,
  optionValues,
  parseUnit,
  setSysctl,
  splitCommandLine,
} from './systemd-unit.ts'

const rewritten = (text: string): string => formatUnit(parseUnit(text))

const unit = `[Unit]
Description=kubelet daemon
[Service]
ExecStartPre=/bin/a
ExecStartPre=/bin/b
ExecStart=/opt/bin/kubelet \\
    --v=2 $ARGS
`

describe('a unit', () => {
  test('may have an option several times, in order', () => {
    expect(optionValues(parseUnit(unit), 'Service', 'ExecStartPre')).toEqual(['/bin/a', '/bin/b'])
  })

  test('may have values of several lines', () => {
    expect(optionValues(parseUnit(unit), 'Service', 'ExecStart')).toEqual([
      '/opt/bin/kubelet \\\n    --v=2 $ARGS',
    ])
  })

  test('is written with an empty line between sections', () => {
    expect(rewritten(unit)).toBe(unit.replace('[Service]', '\n[Service]'))
  })

  test('retains its comments', () => {
    const text = '; of a section\n\n[Unit]\n# why\nA=1\n'
    expect(rewritten(text)).toBe(text)
  })

  test('is written with each section once', () => {
    expect(rewritten('[A]\nx=1\n[B]\ny=1\n[A]\nx=2')).toBe('[A]\nx=1\nx=2\n\n[B]\ny=1\n')
  })

  test('with other line breaks is parsed the same', () => {
    expect(rewritten(unit.replaceAll('\n', '\r\n'))).toBe(rewritten(unit))
  })

  test('may end within a value', () => {
    expect(optionValues(parseUnit('[A]\nx=1 \\'), 'A', 'x')).toEqual(['1 \\'])
  })

  test('may have equals signs, brackets and blanks in a value', () => {
    expect(optionValues(parseUnit('[A]\n x = [a]=b '), 'A', 'x')).toEqual(['[a]=b'])
  })

  test.each([
    ['an option of no section', 'A=1', 1],
    ['a line that is none', '[A]\nB=1\nSECRET', 3],
    ['an option without a name', '[A]\n=1', 2],
  ])('with %s is invalid', (_, text, line) => {
    expect(() => parseUnit(text)).toThrow(
      new Error(`line ${line} is neither a section nor an option of a section`),
    )
  })
})

describe('an option', () => {
  test('is changed only in its section', () => {
    const entries = parseUnit('[A]\nx=1\nx=2\n[B]\nx=1')
    expect(formatUnit(changeOption(entries, 'A', 'x', value => `${value}0`))).toBe(
      '[A]\nx=10\nx=20\n\n[B]\nx=1\n',
    )
  })

  test('is appended to its section if it is missing', () => {
    const entries = parseUnit('[A]\nx=1\n[B]\ny=1')
    expect(formatUnit(ensureOption(entries, 'A', 'x', '2'))).toBe('[A]\nx=1\nx=2\n\n[B]\ny=1\n')
    expect(ensureOption(entries, 'A', 'x', '1')).toBe(entries)
  })
})

test('written entries are parsed to the same entries', () => {
  const line = fc.constantFrom(
    '[A]',
    '[B]',
    'x=1',
    'x= y ',
    'x=1 \\',
    '# c',
    '; d',
    '',
    '    --v',
    'x=\\',
    ' z==',
  )
  fc.assert(
    fc.property(fc.array(line), lines => {
      let entries: ReturnType<typeof parseUnit>
      try {
        entries = parseUnit(lines.join('\n'))
      } catch {
        return
      }
      const text = formatUnit(entries)
      const again = formatUnit(parseUnit(text))
      expect(again).toBe(text)
    }),
    { numRuns: 2_000 },
  )
})

test('a unit of a million lines is read in one pass', () => {
  const text = `[A]\n${'x=1 \\\n'.repeat(500_000)}`
  expect(optionValues(parseUnit(text), 'A', 'x')).toHaveLength(1)
})

test.each<[string, string, string[]]>([
  ['blanks and continued lines', 'a \\\n    --b=1  --c\\\n\t$D', ['a', '--b=1', '--c', '$D']],
  ['nothing', ' \\\n ', []],
  ['quotes', `a --b="c  d" 'e f'g`, ['a', '--b="c  d"', `'e f'g`]],
  ['quotes within quotes', `a "b 'c' \\" d" e`, ['a', `"b 'c' \\" d"`, 'e']],
  ['escapes', 'a b\\x20c d\\;', ['a', 'b\\x20c', 'd\\;']],
  ['a quote without an end', `a "b c`, ['a', `"b c`]],
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
