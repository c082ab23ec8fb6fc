import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { setKubeletField } from './operating-system-config.ts'

const field = 'enableControllerAttachDetach'
const line = `${field}: true\n`
const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\n'
const kind = 'kind: KubeletConfiguration\n'
const set = (text: string): string => setKubeletField(text, field, true)

describe('a new field', () => {
  test('is inserted in alphabetical order', () => {
    expect(set(`${head}cgroupDriver: systemd\nevictionHard: {}\n${kind}`)).toBe(
      `${head}cgroupDriver: systemd\n${line}evictionHard: {}\n${kind}`,
    )
  })

  test('is appended if it is last in the alphabet', () => {
    expect(set(`${kind}${head}`)).toBe(`${line}${kind}${head}`)
    const late = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration'
    expect(setKubeletField(late, 'zzz', true)).toBe(`${late}\nzzz: true\n`)
  })

  test('leaves unknown fields, comments, quotes and blanks unchanged', () => {
    const text = `# all of it\n${head}"allNew":   {x:  [1,2] } # here\n\n# how\nfoo: |\n  a\n   b\n${kind}\n`
    expect(set(text)).toBe(text.replace('# how\n', `${line}# how\n`))
  })

  test('uses the line breaks of the text', () => {
    const text = `${head}${kind}`.replaceAll('\n', '\r\n')
    expect(set(text)).toBe(`${head}${line}${kind}`.replaceAll('\n', '\r\n'))
  })

  test('uses the indent of the other fields', () => {
    const text = `  ${head}  ${kind}`
    expect(set(text)).toBe(`  ${head}  ${line}  ${kind}`)
  })

  test.each([
    ['JSON', '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","a":"b"}'],
    [
      'JSON of several lines',
      '{\n  "apiVersion": "kubelet.config.k8s.io/v1beta1",\n  "kind": "KubeletConfiguration"\n}\n',
    ],
    ['keys with a mark', `? apiVersion\n: kubelet.config.k8s.io/v1beta1\n? kind\n: KubeletConfiguration\n`],
    ['an end', `${head}${kind}...\n`],
    ['a tag before it', `!!map\n${head}${kind}`],
    ['a start', `---\n${head}${kind}`],
  ])('is set in %s', (_, text) => {
    expect(parse(set(text))).toEqual({ ...(parse(text) as object), [field]: true })
  })
})

test('a last field is inserted before the end of the document', () => {
  const after = setKubeletField(`${head}${kind}...\n`, 'zzz', true)
  expect(parse(after)).toMatchObject({ kind: 'KubeletConfiguration', zzz: true })
})

test('a byte order mark is retained', () => {
  expect(set(`\uFEFF${head}${kind}`)).toBe(`\uFEFF${head}${line}${kind}`)
  expect(set(`\uFEFF${head}${field}: false\n${kind}`)).toBe(`\uFEFF${head}${line}${kind}`)
})

describe('an existing field', () => {
  test('with the right value changes no byte', () => {
    const text = `${head}${field}:    true # so\n${kind}`
    expect(set(text)).toBe(text)
  })

  test('is set in place', () => {
    expect(set(`${head}${field}:  false # so\n${kind}`)).toBe(`${head}${field}:  true # so\n${kind}`)
  })

  test.each(['', ' null', ' "no"', ' {}', ' 1'])('gets its value instead of%s', value => {
    expect(parse(set(`${head}${field}:${value}\n${kind}`))).toMatchObject({ [field]: true })
  })

  test('that occurs twice is refused', () => {
    expect(() => set(`${head}${line}${line}${kind}`)).toThrow(new Error(`${field} occurs more than once`))
  })
})

describe('invalid configuration', () => {
  test.each([
    ['nothing', ''],
    ['a list', '- SECRET'],
    ['a text', 'SECRET'],
    ['another kind', `${head}kind: SECRET\n`],
    ['another version', `apiVersion: v1\n${kind}`],
  ])('is refused: %s', (_, text) => {
    expect(() => set(text)).toThrow(
      new Error('it is not a KubeletConfiguration of kubelet.config.k8s.io/v1beta1'),
    )
  })

  test.each([
    ['an open quote', `${head}${kind}a: "SECRET\n`],
    ['two documents', `${head}${kind}---\n${head}${kind}`],
    ['a tab', `${head}${kind}\tSECRET: 1\n`],
    ['no key', `${head}${kind}SECRET\n`],
  ])('is refused without its content: %s', (_, text) => {
    expect(() => set(text)).toThrow(/^line \d+: not YAML \([A-Z_]+\)$/)
  })
})

describe('a hostile text', () => {
  test('with aliases that expand to gigabytes is changed like any other', () => {
    const bomb = Array.from({ length: 30 }, (_, level) =>
      level === 0 ? 'x0: &x0 [1]' : `x${level}: &x${level} [${`*x${level - 1},`.repeat(9)}]`,
    ).join('\n')
    const text = `${head}${kind}${bomb}\n`
    expect(set(text)).toBe(`${head}${line}${kind}${bomb}\n`)
  })

  test('a text of a hundred thousand levels is refused', () => {
    expect(() => set(`${head}${kind}a: ${'['.repeat(100_000)}`)).toThrow(Error)
  })

  test('of a megabyte of keys is read in one pass', () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `x${index}: ${index}\n`).join('')
    expect(set(`${head}${kind}${keys}`)).toBe(`${head}${line}${kind}${keys}`)
  })
})

test('all other fields stay the same, and a second change changes nothing', () => {
  const key = fc.stringMatching(/^[a-z][a-zA-Z]{0,8}$/).filter(name => name !== 'kind')
  const value = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.boolean(), (fields, isFlow) => {
      const object = { apiVersion: 'kubelet.config.k8s.io/v1beta1', ...fields, kind: 'KubeletConfiguration' }
      const text = isFlow
        ? JSON.stringify(object)
        : Object.entries(object)
            .map(([name, content]) => `${name}: ${JSON.stringify(content)}\n`)
            .join('')
      const once = set(text)
      expect(parse(once)).toEqual({ ...(parse(text) as object), [field]: true })
      expect(set(once)).toBe(once)
      if (!isFlow) expect(once.replace(line, '')).toBe(text)
    }),
  )
})
