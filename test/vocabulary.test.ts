import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isOfAuthor, repositoryRoot, repositorySources } from './structure/repository-files.ts'

const readText = (file: string) => readFileSync(`${repositoryRoot}${file}`, 'utf8')
const files = repositorySources().filter(file => file.endsWith('.ts') && !isOfAuthor(file))
const isProduct = (file: string) => !/\.test\.ts$|(^|\/)testing\/|^(test|docs)\//.test(file)

/** `newVPCRoute` and `new-vpc-route`: new, vpc, route. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')

/** Returns code without comments and text literals, except the expressions in templates. */
const codeOf = (text: string): string =>
  text
    .replace(/(?<=[(,=[]\s*)\/(?![*/])(?:\\.|\[[^\]\n]*\]|[^/\\\n[])+\/[a-z]*/g, ' ')
    // One pass from left to right: a text may contain the start of a comment, and a comment the start of a text.
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, all =>
      all.startsWith('`') ? [...all.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => inner).join(' ') : ' ',
    )

const privateWords = (page: string): ReadonlySet<string> => {
  const [, table = ''] = page.split('## Words that are not used')
  return new Set(
    [...table.matchAll(/^\| ([a-z, ]+) \|/gm)].slice(1).flatMap(([, words = '']) => words.split(', ')),
  )
}

/** Returns the names in code that contain one of the words. */
const privateNames = (words: ReadonlySet<string>, code: string): readonly string[] => [
  ...new Set(
    [...code.matchAll(/[A-Za-z_]\w*/g)]
      .map(([name]) => name)
      .filter(name => name !== 'lookUp' && wordsOf(name).some(word => words.has(word))),
  ),
]

describe('a private word', () => {
  const words = privateWords(readText('docs/glossary.md'))

  test('does not occur in a name', () => {
    expect(words.size).toBeGreaterThan(15)
    const found = files.flatMap(file =>
      privateNames(words, codeOf(readText(file))).map(name => `${file}: ${name}`),
    )
    expect(found).toEqual([])
  })

  test('does not occur in the name of a file or folder', () => {
    const saysNothing = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'manager'])
    // Gardener itself uses the name manager for these.
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

/** Returns the provider that a file belongs to. Undefined: it knows none. */
const providerIn = (file: string): string | undefined =>
  /^(?:functions|terraform-free-infra|sandbox\/providers)\/(aws|local|openstack)\//.exec(file)?.[1]

/** Two providers have the same words for the same concepts, and no code may import both. */
const areOfTwoProviders = (files: readonly string[]): boolean => {
  const providers = files.map(providerIn)
  return !providers.includes(undefined) && new Set(providers).size === files.length
}

/** Names that two files declare on purpose, with the reason. */
const sameNames: Readonly<Record<string, string>> = {}

const typeNamesOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )

test('no type name in product code has two meanings', () => {
  const declared = files
    .filter(isProduct)
    .flatMap(file => typeNamesOf(readText(file)).map(name => ({ file, name })))
  expect(declared.length).toBeGreaterThan(900)
  const twice = [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([name, places]) => places.length > 1 && !(name in sameNames))
    .filter(([, places]) => !areOfTwoProviders(places.map(({ file }) => file)))
    .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)
  expect(twice).toEqual([])
  expect(Object.keys(sameNames).filter(name => !declared.some(one => one.name === name))).toEqual([])
})

/** Files with one export and another name, with the reason. */
const otherNames: Readonly<Record<string, string>> = {
  'knative/registration/registered.ts': 'the types of a registration, and its error',
  'test/bench/memory/programs/slow-function.ts': 'a function, which exports a definition',
  'sandbox/kubernetes/wire/decode-message.ts': 'of the wire format protobuf',
}

/** Returns the exports of a file: all names, or its values if a single one is exported among types. */
const exportsOf = (text: string): readonly string[] => {
  const all = [
    ...text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(const|function\*?|class|interface|type) (\w+)/gm,
    ),
  ].map(([, kind = '', name = '']) => ({ name, isValue: kind !== 'interface' && kind !== 'type' }))
  const values = all.filter(({ isValue }) => isValue)
  return all.length === 1 || values.length === 1 ? all.map(({ name }) => name) : []
}

/** Returns true if every word of the file's name is in an export's name or in its folders' names. */
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

test('a file with one export has its name', () => {
  const single = files
    .filter(file => isProduct(file) || /^bench\//.test(file))
    // These are found by their file name, and each exports a `definition`.
    .filter(
      file =>
        !/^cli\/templates\/\w+\/function\.ts$|^functions\/[^/]+\/(?:[^/]+\/function|webhooks\/[^/]+\/webhook)\.ts$/.test(
          file,
        ),
    )
    .map(file => ({ file, names: exportsOf(readText(file)) }))
    .filter(({ names }) => names.length > 0)
  expect(single.length).toBeGreaterThan(300)
  const wrong = single
    .filter(({ file, names }) => !isNamedAfter(file, names) && !(file in otherNames))
    .map(({ file, names }) => `${file}: ${names.join(', ')}`)
  expect(wrong).toEqual([])
})

test.each([
  ['bridge/core/delivery/delivery.ts', ['createDelivery'], true],
  ['bridge/delivery/deliver.ts', ['createDelivery'], false],
  ['sandbox/providers/aws/simulator/ec2/vpcs/vpcs.ts', ['vpcOperations'], true],
  ['shared/clock/helpers.ts', ['sleepBy'], false],
])('%s with the exports %j has a matching name: %s', (file, names, right) => {
  expect(isNamedAfter(file, names)).toBe(right)
})

test('a test is defined with test', () => {
  const others = files.filter(file => /^import \{[^}]*\bit\b[^}]*\} from 'vitest'/m.test(readText(file)))
  expect(others).toEqual([])
})

test('a thrown value is converted to text in one place only', () => {
  const spelled = files.filter(file => /(\w+) instanceof Error\s*\? \(?\1\.message/.test(readText(file)))
  expect(spelled).toEqual(['shared/text/message-of.ts'])
})

test('shared test code is in a folder called testing, or in test/', () => {
  const stray = files.filter(
    file =>
      !/(^|\/)testing\/|^test\//.test(file) &&
      (/[.-](testing|fixtures?|harness|mocks?|fakes?|stubs?|suite)\.ts$|(^|\/)test-[^/]*\.ts$/.test(file) ||
        (!file.endsWith('.test.ts') && /from 'vitest'/.test(readText(file)))),
  )
  expect(stray).toEqual([])
})

test('no file is longer than 400 lines', () => {
  const long = files.filter(file => readText(file).split('\n').length - 1 > 400)
  expect(long).toEqual([])
})
