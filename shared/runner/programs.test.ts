import { describe, expect, test } from 'vitest'
import { parsePrograms, pathOf } from './programs.ts'

const fn = { name: 'acme-dnsrecord', kind: 'DNSRecord', types: ['acme-dns'] }
const parse = (...programs: unknown[]) => parsePrograms(JSON.stringify(programs))

describe('programs', () => {
  test('have defaults for everything but names, kinds and types', () => {
    expect(parse({ name: 'acme-compact', functions: [fn] })).toEqual([
      {
        ...{ name: 'acme-compact', memory: 384 * 2 ** 20, env: {} },
        functions: [{ ...fn, classes: ['shoot'], concurrency: 100 }],
      },
    ])
  })

  test.each([
    ['128Mi', 128 * 2 ** 20],
    ['0.5Gi', 2 ** 29],
    ['200M', 2e8],
    ['1048576', 2 ** 20],
  ])('have a memory limit of %s', (memory, bytes) => {
    expect(parse({ name: 'a', memory, functions: [fn] })[0]?.memory).toBe(bytes)
  })

  test('receive events at the paths of their functions, a program of the same name at /', () => {
    const paths = parse(
      { name: 'acme-compact', functions: [fn] },
      { name: 'b', functions: [{ ...fn, name: 'b', types: ['b'] }] },
    ).flatMap(program => program.functions.map(one => pathOf(program, one)))
    expect(paths).toEqual(['/acme-dnsrecord', '/'])
  })

  test.each([
    ['no JSON', '[', 'expected JSON'],
    ['no list', '{}', 'expected a JSON list of programs'],
    ['an empty list', '[]', 'expected a JSON list of programs'],
  ])('are refused as %s', (_, text, message) => {
    expect(() => parsePrograms(text)).toThrow(message)
  })

  test.each([
    [
      'a name that leaves the folder',
      { name: '../x', functions: [fn] },
      /^programs\[0\] \.\.\/x: name: expected a name/,
    ],
    [
      'a wrong memory limit',
      { name: 'a', memory: '1 GB', functions: [fn] },
      /^programs\[0\] a: memory: expected a quantity/,
    ],
    ['no function', { name: 'a', functions: [] }, /^programs\[0\] a: functions: /],
    [
      'an unknown kind',
      { name: 'a', functions: [{ ...fn, kind: 'Pod' }] },
      /^programs\[0\] a: functions\[0\]\.kind: /,
    ],
    ['an unknown field', { name: 'a', functions: [fn], cpu: 1 }, /^programs\[0\] a: .*cpu/],
    [
      'a negative concurrency',
      { name: 'a', functions: [{ ...fn, concurrency: -1 }] },
      /functions\[0\]\.concurrency/,
    ],
  ])('are refused with %s, by the name of the entry', (_, program, message) => {
    expect(() => parse(program)).toThrow(message)
  })

  test('are refused if two have a name or serve the same objects', () => {
    const twice = { name: 'a', functions: [fn] }
    expect(() => parse(twice, twice)).toThrow(
      'programs[1] a: the program a is already in programs[0] a; programs[1] a: the function acme-dnsrecord is already in programs[0] a; programs[1] a: DNSRecord of the type acme-dns is already in programs[0] a',
    )
  })
})
