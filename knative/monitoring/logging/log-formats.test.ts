import { describe, expect, test } from 'vitest'
import { componentLogFormats } from './log-formats.ts'

/** The conversions of strptime that the formats use, and `%L` of fluent-bit: fractions of a second. */
const conversions: Readonly<Record<string, string>> = {
  Y: '\\d{4}',
  m: '(?:0[1-9]|1[0-2])',
  d: '(?:0[1-9]|[12]\\d|3[01])',
  H: '[01]\\d|2[0-3]',
  M: '[0-5]\\d',
  S: '[0-5]\\d',
  L: '\\d+',
}
const timePattern = (format: string): RegExp => {
  const escaped = format.replaceAll('.', '\\.')
  return new RegExp(`^${escaped.replaceAll(/%(.)/g, (_, letter) => `(?:${conversions[letter]})`)}$`)
}

const { klog, json } = componentLogFormats
const regex =
  'regex' in klog.parser
    ? (klog.parser.regex as { readonly regex: string; readonly timeFormat: string })
    : undefined

describe('lines of klog', () => {
  const fieldsOf = (line: string) => new RegExp(regex?.regex ?? '').exec(line)?.groups

  test.each([
    [
      'I1129 22:12:05.123456       1 controllermanager.go:170] Version: v1.35.2',
      ['I', '1129 22:12:05.123456', '1', 'controllermanager.go:170', 'Version: v1.35.2'],
    ],
    [
      'E0102 03:04:05.000001 1234567 driver.go:83] "Failed" err="rpc error: [a] b"',
      ['E', '0102 03:04:05.000001', '1234567', 'driver.go:83', '"Failed" err="rpc error: [a] b"'],
    ],
    [
      'W1231 23:59:59.999999       1 reflector.go:561] k8s.io/client-go/factory.go:160: failed] ',
      ['W', '1231 23:59:59.999999', '1', 'reflector.go:561', 'k8s.io/client-go/factory.go:160: failed] '],
    ],
    ['F0101 00:00:00.000000       1 main.go:9] ', ['F', '0101 00:00:00.000000', '1', 'main.go:9', '']],
  ])('%j has severity, time, process, source and text', (line, [severity, time, pid, source, log]) => {
    expect({ ...fieldsOf(line) }).toEqual({ severity, time, pid, source, log })
    expect(time).toMatch(timePattern(regex?.timeFormat ?? ''))
  })

  test.each([
    'goroutine 1 [running]:',
    '{"level":"info"}',
    'I1129 22:12 text',
    'Info: 22:12:05.123456 1 a.go:1] text',
    '',
  ])('%j is not one of them, so fluent-bit retains it as it is', line => {
    expect(fieldsOf(line)).toBeUndefined()
  })

  test('the expression has only what Onigmo and JavaScript understand alike', () => {
    const constructs = (regex?.regex ?? '').match(/\\.|\(\?(?!<[a-z])|\[\[|&&/g) ?? []
    expect(new Set(constructs)).toEqual(new Set(['\\d', '\\.', '\\s', '\\]']))
  })
})

describe('lines of zap', () => {
  const line =
    '{"level":"error","ts":"2026-11-29T22:12:05Z","logger":"controllers.service","msg":"failed deploy","error":"a"}'
  const { timeKey, timeFormat } = ('json' in json.parser ? json.parser.json : {}) as {
    readonly timeKey: string
    readonly timeFormat: string
  }

  test('get the names of Gardener’s fields, and a time', () => {
    const parsed = JSON.parse(line) as Readonly<Record<string, unknown>>
    const names = Object.assign({}, ...json.rules.map(({ rename }) => rename)) as Readonly<
      Record<string, string>
    >
    const renamed = Object.fromEntries(
      Object.entries(parsed).map(([key, value]) => [names[key] ?? key, value]),
    )
    expect(renamed).toEqual({
      severity: 'error',
      ts: '2026-11-29T22:12:05Z',
      source: 'controllers.service',
      log: 'failed deploy',
      error: 'a',
    })
    expect(renamed[timeKey]).toMatch(timePattern(timeFormat))
  })
})
