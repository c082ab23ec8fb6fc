import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProviders } from '../sandbox/providers/find-providers.ts'
import { repositorySources, repositoryRoot as root } from './structure/repository-files.ts'

const providers = await findProviders()

/** The folders of a cloud, and the texts of its configs. Only they may name it. */
const ownRooms = providers.flatMap(({ name }) => [
  `docs/provider-configs/${name}.ts`,
  `functions/${name}/`,
  `terraform-free-infra/${name}/`,
  `sandbox/providers/${name}/`,
])

/**
 * Files that may use a cloud as an example and are not part of the product: tests and their support, examples, and
 * benchmarks, which measure functions in AWS.
 */
const examples = [/\.test\.ts$/, /\/testing\//, /^test\//, /^bench\//, /^examples\//]

/** Other files that may name a cloud, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'sandbox/kubernetes/wire/message-fields.ts': 'Kubernetes names volumes of clouds in its own messages',
  'shared/runtime/definition/definition-problems.ts': 'says of a bad definition what a good one looks like',
  'docs/error-table.ts': 'a page: what clouds say that gets a code',
  'docs/errors-page.ts': 'a page: what clouds say that gets a code',
  'build/library/build.ts': 'packs the schemas of the simulator',
  'test/contract/other-words.ts': 'the annotations and API groups of clouds, with the program that has them',
  'sandbox/sandbox.ts': 'the face of all that is simulated',
  'shared/journal/entry.ts': 'examples in a published schema',
  'vitest.config.ts': 'sets up the tests of the simulator',
}

/** Providers with the name of a common word, and unambiguous names for them. */
const plainWords: Readonly<Record<string, readonly string[]>> = {
  local: ['provider-local', 'functions/local', 'providers/local'],
}
const proper = providers.filter(({ name }) => !Object.hasOwn(plainWords, name))

/** The names of clouds and their parts, as separate words. */
const names = [
  ...proper.flatMap(({ name, title, texts }) => [name, title, texts.owner]),
  ...Object.values(plainWords).flat(),
  ...['route ?53', 'ec2', 'vpc', 'iam(?=[^a-z]|$)', 's3(?=[^0-9]|$)', 'efs(?=[^a-z]|$)', 'AKIA', 'arn:'],
  ...['NAT gateway', 'elastic (?:ip|address)'],
]

/** The same names at the end of an identifier: `simulatedAws`, `createEc2`. */
const endings = [
  ...proper.map(({ name }) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`),
  ...['Route53', 'Ec2', 'Vpc', 'Iam', 'S3', 'Efs'],
]

// Two expressions instead of one with a case-insensitive group (`(?i:…)`): V8 sometimes loses that flag when it
// recompiles the expression.
const words = [
  new RegExp(`(?<![A-Za-z])(?:${names.join('|')})`, 'gi'),
  new RegExp(`(?<=[a-z0-9])(?:${endings.join('|')})(?![a-z])`, 'g'),
]

/** Comments may use a cloud as an example. Strings may not. */
const withoutComments = (source: string): string =>
  source.replaceAll(/(?<=^\s*)\/\*\*?[\s\S]*?\*\//gm, '').replaceAll(/(?<=^|\s)\/\/.*$/gm, '')

const found = (source: string): readonly string[] => {
  const text = withoutComments(source)
  return words
    .flatMap(word => [...text.matchAll(word)])
    .toSorted((one, other) => one.index - other.index)
    .map(([name]) => name)
}

test('the search finds a cloud in imports, names, types and texts, and in no comment', () => {
  const source = [
    "import { createAws } from '../aws/simulator.ts'",
    "const awsUrl = 'the VPC in EC2'",
    'let client: Route53Client // of AWS',
    '/** AWS. */',
    'simulatedAws(awsOf(paws, lawsuit))',
  ].join('\n')
  expect(found(source).map(word => word.toLowerCase())).toEqual([
    'aws',
    'aws',
    'aws',
    'vpc',
    'ec2',
    'route53',
    'aws',
    'aws',
  ])
})

test('the search finds a provider with a common word as its name only by unambiguous names', () => {
  expect(found("import { x } from '../../functions/local/provider/local.ts'")).toHaveLength(1)
  expect(found("const text = 'gardener-extension-provider-local'")).toHaveLength(1)
  expect(found("const local = 'local time'")).toEqual([])
  expect(providers.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(plainWords)))
})

test('a cloud is named only in its own folders and texts', () => {
  const files = repositorySources()
    .filter(file => !ownRooms.some(room => file.startsWith(room)))
    .filter(file => !examples.some(example => example.test(file)) && exceptions[file] === undefined)
  expect(files.length).toBeGreaterThan(200)
  const named = files.flatMap(file => {
    const words = found(readFileSync(join(root, file), 'utf8'))
    return words.length === 0 ? [] : [`${file}: ${[...new Set(words)].join(', ')}`]
  })
  expect(named).toEqual([])
})
