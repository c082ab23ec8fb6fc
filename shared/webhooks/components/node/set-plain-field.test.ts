import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, parseDocument, stringify } from 'yaml'
import { setPlainField } from './operating-system-config.ts'

const field = 'enable'
const required = { kind: 'K' }
const set = (text: string) => setPlainField(text, field, true, required)

test('a field is inserted in alphabetical order, or changed in place', () => {
  const text = 'a:\n  b: 1\n  c:\n  - "x y"\n  - 5%\nf: 10m0s\nkind: K\nz: {}\n'
  expect(set(text)).toBe(text.replace('f:', 'enable: true\nf:'))
  expect(setPlainField(text, 'zz', true, required)).toBe(`${text}zz: true\n`)
  expect(set(`${field}: false\nkind: K\n`)).toBe(`${field}: true\nkind: K\n`)
})

test('a configuration written by gardenlet needs no parser', () => {
  const text = [
    'apiVersion: kubelet.config.k8s.io/v1beta1',
    'authentication:\n  x509:\n    clientCAFile: /var/lib/kubelet/ca.crt\nclusterDNS:\n- 100.64.0.10',
    'containerRuntimeEndpoint: unix:///run/containerd/containerd.sock\ncrashLoopBackOff: {}',
    'evictionHard:\n  memory.available: 100Mi\n  nodefs.available: 5%\nkind: KubeletConfiguration',
    'logging:\n  options:\n    json:\n      infoBufferSize: "0"\nmaxPods: 110\n',
  ].join('\n')
  expect(setPlainField(text, field, true, { kind: 'KubeletConfiguration' })).toBe(
    text.replace('evictionHard', 'enable: true\nevictionHard'),
  )
})

describe('needs a parser', () => {
  test.each([
    ['another kind', 'kind: L\n'],
    ['no kind', 'a: 1\n'],
    ['a kind below', 'a:\n  kind: K\n'],
    ['the kind twice', 'kind: K\nkind: K\n'],
    ['the field twice', 'enable: true\nenable: true\nkind: K\n'],
    ['a field that is no boolean', 'enable: {}\nkind: K\n'],
    ['a comment', '# a\nkind: K\n'],
    ['no line break at the end', 'kind: K'],
    ['JSON', '{"kind":"K"}\n'],
    ['an indent below a value', 'a: 1\n  b: 2\nkind: K\n'],
    ['an odd indent', 'a:\n   b: 2\nkind: K\n'],
    ['an odd indent back', 'a:\n  b:\n    c: 1\n c: 2\nkind: K\n'],
    ['a list below a value', 'a: 1\n- b\nkind: K\n'],
    ['a list at another depth', 'a:\n  - b\nkind: K\n'],
    ['a text of several lines', 'a: |\n  b\nkind: K\n'],
    ['an anchor', 'a: &x 1\nkind: K\n'],
    ['a key that is no text', 'True: 1\nkind: K\n'],
    ['two documents', 'kind: K\n---\nkind: K\n'],
    ['a value that opens another', 'a: b: c\nkind: K\n'],
    ['a key without a blank', 'a:b\nkind: K\n'],
    ['a value that ends like a key', 'a: b:\nkind: K\n'],
    ['a blank at the end', 'a: \nkind: K\n'],
  ])('%s', (_, text) => expect(set(text)).toBeUndefined())
})

test('any serialized object is changed as by a parser', () => {
  const key = fc.stringMatching(/^[a-z][a-zA-Z]{0,4}$/).filter(name => !(name in required))
  const leaf = fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.constantFrom('x', '5%', 'a b', '10.0.0.1', '/etc/x', '1.10', '', 'no', '-', 'a: b', '#'),
  )
  const tree = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(leaf, { maxLength: 3 }),
      fc.dictionary(key, tie('value')),
    ),
  })).value
  let taken = 0
  fc.assert(
    fc.property(fc.dictionary(key, tree), object => {
      const text = stringify({ ...object, kind: 'K' }, { indentSeq: false, lineWidth: 0 })
      const after = set(text)
      if (after === undefined) return
      taken++
      expect(parse(after)).toEqual({ ...(parse(text) as object), [field]: true })
    }),
  )
  expect(taken).toBeGreaterThan(10)
})

test('no text is accepted that a parser would refuse', () => {
  const line = fc
    .tuple(
      fc.constantFrom('', ' ', '  ', '    '),
      fc.constantFrom(
        'a:',
        'a: 1',
        'b: x',
        '- 1',
        '- ',
        '-',
        'c: {}',
        'd: "x"',
        'e: x:',
        'f:x',
        'g.h: a:b',
        '-x',
        '-  x',
        '- -1',
        'kind: K',
        'a : 1',
        'x',
        '- a: 1',
      ),
    )
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), lines => {
      const text = [...lines, 'kind: K', ''].join('\n')
      const after = set(text)
      if (after === undefined) return
      const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const
      expect(parseDocument(text, options).errors).toEqual([])
      const map = parseDocument(after, options)
      expect(map.errors).toEqual([])
      expect(map.get(field)).toBe(true)
    }),
    { numRuns: 5_000 },
  )
})
