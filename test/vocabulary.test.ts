import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { repositoryRoot, repositorySources } from './structure/repository-files.ts'

const textOf = (file: string) => readFileSync(`${repositoryRoot}${file}`, 'utf8')
const files = repositorySources().filter(file => file.endsWith('.ts'))
const isProduct = (file: string) => !/\.test\.ts$|(^|\/)testing\/|^(test|bench|docs)\//.test(file)

/** `newVPCRoute` and `new-vpc-route`: new, vpc, route. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')

/** Code without comments, and of its texts only what is worked out in them. */
const codeOf = (text: string): string =>
  text
    .replace(/(?<=[(,=[]\s*)\/(?![*/])(?:\\.|\[[^\]\n]*\]|[^/\\\n[])+\/[a-z]*/g, ' ')
    // In one go, from left to right: a text may hold what begins a comment, and a comment what begins a text.
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, all =>
      all.startsWith('`') ? [...all.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => inner).join(' ') : ' ',
    )

const privateWords = (page: string): ReadonlySet<string> => {
  const [, table = ''] = page.split('## Words that are not used')
  return new Set(
    [...table.matchAll(/^\| ([a-z, ]+) \|/gm)].slice(1).flatMap(([, words = '']) => words.split(', ')),
  )
}

/** The names of a text that have one of the words. */
const privateNames = (words: ReadonlySet<string>, code: string): readonly string[] => [
  ...new Set(
    [...code.matchAll(/[A-Za-z_]\w*/g)]
      .map(([name]) => name)
      .filter(name => name !== 'lookUp' && wordsOf(name).some(word => words.has(word))),
  ),
]

describe('a private word', () => {
  const words = privateWords(textOf('docs/glossary.md'))

  test('is in no name', () => {
    expect(words.size).toBeGreaterThan(15)
    const found = files.flatMap(file =>
      privateNames(words, codeOf(textOf(file))).map(name => `${file}: ${name}`),
    )
    expect(found).toEqual([])
  })

  test('is in no name of a file or a folder', () => {
    const saysNothing = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'manager'])
    // What Gardener itself calls a manager has no other name.
    const ownName = (file: string) => file.replace(/(secrets|resource)-manager/g, '$1')
    const isWrong = (word: string) => words.has(word) || saysNothing.has(word)
    expect(files.filter(file => wordsOf(ownName(file)).some(isWrong))).toEqual([])
  })

  test.each([
    ['const laneOf = 1', ['laneOf']],
    [`const map = \`a $\{theLane.size}\``, ['theLane']],
    ['type Verdict = string', ['Verdict']],
    ["const text = 'lane' // lane", []],
    ['const text = `http://lane` + laneOf', ['laneOf']],
    ['interface Planet {}', []],
  ])('is found in %s', (code, names) => {
    expect(privateNames(words, codeOf(code))).toEqual(names)
  })
})

/** Names that two files declare on purpose, and why. */
const sameNames: Readonly<Record<string, string>> = {}

const typeNamesOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )

test('no name of a type in product code means two things', () => {
  const declared = files
    .filter(isProduct)
    .flatMap(file => typeNamesOf(textOf(file)).map(name => ({ file, name })))
  expect(declared.length).toBeGreaterThan(900)
  const twice = [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([name, places]) => places.length > 1 && !(name in sameNames))
    .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)
  expect(twice).toEqual([])
  expect(Object.keys(sameNames).filter(name => !declared.some(one => one.name === name))).toEqual([])
})

/** Files of one export that are called otherwise, and why. */
const otherNames: Readonly<Record<string, string>> = {
  'bench/memory/programs/slow-function.ts': 'a function, which exports a definition',
  'sandbox/kubernetes/wire/decode-message.ts': 'of the wire format protobuf',
}

/** What a file exports: all names, or its values where a single one stands among types. */
const exportsOf = (text: string): readonly string[] => {
  const all = [
    ...text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(const|function|class|interface|type) \*?\s*(\w+)/gm,
    ),
  ].map(([, kind = '', name = '']) => ({ name, isValue: kind !== 'interface' && kind !== 'type' }))
  const values = all.filter(({ isValue }) => isValue)
  return all.length === 1 || values.length === 1 ? all.map(({ name }) => name) : []
}

/** Every word of the file's name is one of an export's, or of its folders'. */
const isNamedAfter = (file: string, names: readonly string[]): boolean => {
  const parts = file.replace(/\.ts$/, '').split('/')
  const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
  const own = wordsOf(parts.at(-1) ?? '').map(singular)
  const folders = new Set(parts.slice(0, -1).flatMap(wordsOf).map(singular))
  return names.some(name => {
    const words = new Set(wordsOf(name).map(singular))
    const together = own.join('') === [...words].join('')
    return (
      together ||
      (own.some(word => words.has(word)) && own.every(word => words.has(word) || folders.has(word)))
    )
  })
}

test('a file with one export is called after it', () => {
  const single = files
    .filter(file => isProduct(file) || /^bench\//.test(file))
    // Found by its name, and each exports a `definition`.
    .filter(
      file =>
        !/^cli\/templates\/\w+\/function\.ts$|^functions\/[^/]+\/(?:[^/]+\/function|webhooks\/[^/]+\/webhook)\.ts$/.test(
          file,
        ),
    )
    .map(file => ({ file, names: exportsOf(textOf(file)) }))
    .filter(({ names }) => names.length > 0)
  expect(single.length).toBeGreaterThan(300)
  const wrong = single
    .filter(({ file, names }) => !isNamedAfter(file, names) && !(file in otherNames))
    .map(({ file, names }) => `${file}: ${names.join(', ')}`)
  expect(wrong).toEqual([])
})

test.each([
  ['bridge/delivery/delivery.ts', ['createDelivery'], true],
  ['bridge/delivery/deliver.ts', ['createDelivery'], false],
  ['sandbox/providers/aws/simulator/ec2/vpcs/vpcs.ts', ['vpcOperations'], true],
  ['shared/clock/helpers.ts', ['sleepBy'], false],
])('%s with the exports %j is called after them: %s', (file, names, right) => {
  expect(isNamedAfter(file, names)).toBe(right)
})

test('a test is called test', () => {
  const others = files.filter(file => /^import \{[^}]*\bit\b[^}]*\} from 'vitest'/m.test(textOf(file)))
  expect(others).toEqual([])
})

test('what was thrown becomes a text in one place', () => {
  const spelled = files.filter(file => /(\w+) instanceof Error\s*\? \(?\1\.message/.test(textOf(file)))
  expect(spelled).toEqual(['shared/contract/message-of.ts'])
})

test('what tests share stands in a folder called testing, or in test/', () => {
  const stray = files.filter(
    file =>
      !/(^|\/)testing\/|^(test|bench)\//.test(file) &&
      (/[.-](testing|fixtures?|harness|mocks?|fakes?|stubs?|suite)\.ts$|(^|\/)test-[^/]*\.ts$/.test(file) ||
        (!file.endsWith('.test.ts') && /from 'vitest'/.test(textOf(file)))),
  )
  expect(stray).toEqual([])
})

/** Longer files that are one thing, and why. */
const longFiles: Readonly<Record<string, string>> = {
  'sandbox/kubernetes/testing/answer-cases.ts': 'one table of requests and answers',
}

test('no file is longer than 400 lines', () => {
  const long = files.filter(file => textOf(file).split('\n').length - 1 > 400 && !(file in longFiles))
  expect(long).toEqual([])
})
