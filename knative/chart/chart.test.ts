import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import { extract } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { deployedObjects, servedObjectsOf } from '../knative.ts'
import {
  chartArchive,
  chartFiles,
  contentsOf,
  deploymentOfValues,
  mergeValues,
  parseValues,
  ValuesError,
} from './chart.ts'
import type { JsonSchema } from './values/values-files.ts'

const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly version: string
}
const options = {
  version,
  libraryVersion: version,
  functions: await findFunctions(),
  webhooks: await findWebhooks(),
}
const release = { name: 'a', namespace: 'a', version, libraryVersion: version }
const files = await chartFiles(options)
const readChart = (path: string): string => files.get(path) ?? ''
const schema = JSON.parse(readChart('values.schema.json')) as JsonSchema & {
  readonly definitions: Readonly<Record<string, JsonSchema>>
}

const validate = new Ajv({ allErrors: true }).compile(schema)
/** Returns the path and the message of each schema violation. */
const refusalsOf = (values: unknown): readonly string[] => {
  validate(values)
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath}: ${message} ${'additionalProperty' in params ? params.additionalProperty : ''}`,
  )
}

test('the chart in knative/chart/trellis matches the definitions (make manifests)', async () => {
  const folder = join(import.meta.dirname, 'trellis')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const made = entries
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  expect(made.toSorted()).toEqual([...files.keys()].toSorted())
  for (const [path, text] of files) expect(await readFile(join(folder, path), 'utf8'), path).toBe(text)
})

// Gardener's runtime cluster of a garden may also be a seed, with an installation for each.
test.each([
  ['a seed', { seed: { name: 'a' } }, 'DNSRecord/aws-route53/shoot+seed,Worker/aws'],
  ['the runtime cluster', { runtimeCluster: { enabled: 'true' } }, 'DNSRecord/aws-route53/garden'],
  ['a release of Helm', {}, 'DNSRecord/aws-route53/shoot+seed+garden,Worker/aws'],
])('the installation of %s serves only its own classes', (_, gardener, served) => {
  const functions = { 'aws-dnsrecord': { enabled: true }, 'aws-worker': { enabled: true } }
  const values = parseValues(contentsOf(options), {
    ...{ gardener, functions, seed: 'a', image: { registry: 'registry.example' } },
  })
  expect(servedObjectsOf(deploymentOfValues(values, options, release))).toBe(served)
})

describe('the values of the chart', () => {
  test('the defaults match values.yaml', () => {
    const given = parse(readChart('values.yaml'))
    expect(refusalsOf(given)).toEqual([])
    expect(parseValues(contentsOf(options), given)).toEqual(parseValues(contentsOf(options), {}))
  })

  test('a null in a later file removes the value of an earlier one', () => {
    expect(
      mergeValues({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: null }, d: null }, { a: { e: 4 }, d: { f: 5 } }),
    ).toEqual({ a: { b: null, c: 2, e: 4 }, d: { f: 5 } })
  })

  test('null is allowed instead of each value, and stands for its default', () => {
    const contents = contentsOf(options)
    const defaults = parseValues(contents, {})
    // All values of one level at once.
    const withNulls = (node: unknown, level: number): unknown =>
      typeof node !== 'object' || node === null || Array.isArray(node)
        ? node
        : Object.fromEntries(
            Object.entries(node).map(([key, value]) => [
              key,
              level === 0 ? null : withNulls(value, level - 1),
            ]),
          )
    const levels = Array.from({ length: 6 }, (_, level) => withNulls(defaults, level))
    expect(new Set(levels.map(values => JSON.stringify(values))).size).toBeGreaterThan(4)
    for (const values of levels) {
      expect(refusalsOf(values)).toEqual([])
      expect(parseValues(contents, values)).toEqual(defaults)
    }
  })

  test.each([
    [
      { functions: { 'aws-worker': { maxScal: 9 } } },
      'functions.aws-worker: unknown field "maxScal": did you mean maxScale?',
    ],
    [{ functions: { 'aws-workr': {} } }, 'functions: unknown field "aws-workr": did you mean aws-worker?'],
    [{ logLevl: 'info' }, 'unknown field "logLevl": did you mean logLevel?'],
    [{ broker: { delivry: {} } }, 'broker: unknown field "delivry": did you mean delivery?'],
    [{ xyz: 1 }, 'unknown field "xyz"'],
  ])('%j is refused with the nearest name', (values, problem) => {
    expect(() => parseValues(contentsOf(options), values)).toThrow(problem)
  })

  test('the defaults enable nothing, so that no part of a seed is taken over by accident', () => {
    const { functions, webhook } = parseValues(contentsOf(options), {})
    const all = [...Object.values(functions), ...Object.values(webhook.components)]
    expect(all.length).toBeGreaterThan(options.functions.length)
    expect(all.filter(one => one?.enabled)).toEqual([])
  })

  test('the items that the chart was made for are enabled', () => {
    const contents = contentsOf({ ...options, isEnabled: name => name === 'aws-worker' })
    const { functions } = parseValues(contents, {})
    expect(Object.keys(functions).filter(name => functions[name]?.enabled)).toEqual(['aws-worker'])
  })

  test('every value has a description', () => {
    const undescribed: string[] = []
    const visit = (node: JsonSchema, path: string): void => {
      for (const [key, property] of Object.entries(node.properties ?? {})) {
        if (property.$ref === undefined && property.description === undefined)
          undescribed.push(`${path}.${key}`)
        visit(property, `${path}.${key}`)
      }
    }
    visit(schema, '')
    for (const [name, entry] of Object.entries(schema.definitions)) visit(entry, name)
    expect(Object.keys(schema.definitions).toSorted()).toEqual(['components', 'functions', 'images'])
    expect(undescribed).toEqual([])
  })

  test('all values that Gardener adds are accepted', () => {
    const gardener = { seed: { name: 'a', spec: { networks: {} } }, runtimeCluster: { enabled: 'true' } }
    expect(refusalsOf({ gardener, usablePorts: [8080, 10_250], global: { x: 1 } })).toEqual([])
  })

  test.each<[string, object, string]>([
    ['an unknown key', { logLevl: 'info' }, ': must NOT have additional properties logLevl'],
    [
      'a misspelt key of a function',
      { functions: { 'aws-worker': { enabld: true } } },
      '/functions/aws-worker: must NOT have additional properties enabld',
    ],
    [
      'an unknown function',
      { functions: { 'acme-worker': {} } },
      '/functions: must NOT have additional properties acme-worker',
    ],
    ['a registry without a host', { image: { registry: 'trellis' } }, '/image/registry: must match pattern'],
    [
      'an image without a registry',
      { images: { bridge: 'trellis/bridge:1.2.3' } },
      '/images/bridge: must match pattern',
    ],
    [
      'an image of an unknown program',
      { images: { acme: 'registry.example/acme:1' } },
      '/images: must NOT have additional properties acme',
    ],
    ['an unknown profile', { broker: { profile: 'redis' } }, '/broker/profile: must be equal to one of'],
    ['an unknown mode', { mode: 'openshift' }, '/mode: must be equal to one of the allowed values'],
    ['a text for compact', { compact: 'true' }, '/compact: must be boolean'],
    ['an unknown level', { logLevel: 'loud' }, '/logLevel: must be equal to one of the allowed values'],
    [
      'no pods',
      { functions: { 'aws-worker': { maxScale: 0 } } },
      '/functions/aws-worker/maxScale: must be >= 1',
    ],
    [
      'memory with an unknown unit',
      { bridge: { resources: { memory: '1GB' } } },
      '/bridge/resources/memory: must match pattern',
    ],
    [
      'a malformed duration',
      { broker: { delivery: { timeout: '75s' } } },
      '/broker/delivery/timeout: must match pattern',
    ],
    ['a variable that is a number', { functionEnv: { A: 1 } }, '/functionEnv/A: must be string'],
  ])('they refuse %s, and the error names the key', (_, values, refusal) => {
    expect(refusalsOf(values)).toEqual([expect.stringContaining(refusal)])
    expect(() => parseValues(contentsOf(options), values)).toThrow(ValuesError)
  })

  test('they accept a class or a profile of a broker, and not both', () => {
    const parse = (broker: object) => parseValues(contentsOf(options), { broker })
    expect(() => parse({ profile: 'kafka', class: 'Kafka' })).toThrow(
      'broker.class: a profile sets the class: remove class or profile',
    )
    expect(parse({ profile: 'kafka' }).broker.profile).toBe('kafka')
  })

  test('they refuse a broker for the seed process, and have functions of a provider in one process there', () => {
    const parse = (given: object) =>
      parseValues(contentsOf(options), { mode: 'seed-process', seed: 'a', ...given })
    for (const broker of [{ profile: 'nats' }, { class: 'Kafka' }])
      expect(() => parse({ broker })).toThrow(
        'broker: the mode seed-process has no broker: remove profile and class',
      )
    const values = parse({
      functions: { 'aws-worker': { enabled: true, concurrency: 7 }, 'aws-dnsrecord': { enabled: true } },
    })
    const { compact, seedProcess } = deploymentOfValues(values, options, release)
    expect(compact.map(({ name }) => name)).toEqual(['aws-compact'])
    expect(seedProcess).toEqual({
      replicas: 1,
      resources: { cpu: '20m', memory: '96Mi', memoryLimit: '1Gi' },
      env: [],
    })
  })

  test('they have no default registry, because its owner would decide what runs', () => {
    const values = parseValues(contentsOf(options), { seed: 'a', images: { bridge: 'registry.example/b:1' } })
    expect(values.image.registry).toBe('')
    const { image } = deploymentOfValues(values, options, release)
    expect(image('bridge')).toBe('registry.example/b:1')
    expect(() => image('aws-worker')).toThrow(
      new ValuesError('image.registry: set the registry of the images, or the image in images.aws-worker'),
    )
    expect(readChart('README.md')).toContain('--set image.registry=')
  })

  test('they refuse conflicting settings of functions that share a process', () => {
    const values = parseValues(contentsOf(options), {
      seed: 'a',
      compact: true,
      functions: {
        'aws-worker': { enabled: true, env: { A: '1' } },
        'aws-dnsrecord': { enabled: true, env: { A: '2' } },
      },
    })
    expect(() => deploymentOfValues(values, options, release)).toThrow(ValuesError)
  })

  test('without a registry, an image is refused instead of pulled from a public one', () => {
    const given = { seed: 'a', functions: { 'aws-worker': { enabled: true } } }
    const objectsOf = (more: object) =>
      deployedObjects(
        deploymentOfValues(parseValues(contentsOf(options), { ...given, ...more }), options, release),
      )
    expect(() => objectsOf({})).toThrow('image.registry: set the registry')
    const bridge = { bridge: 'registry.example/bridge:1' }
    expect(() => objectsOf({ images: bridge })).toThrow('image.registry: set the registry')
    const text = JSON.stringify(
      objectsOf({ images: { ...bridge, 'aws-worker': 'registry.example/worker:1' } }),
    )
    expect(text).toContain('"image":"registry.example/worker:1"')
  })

  test.each([
    'registry.example/trellis/bridge:1',
    'localhost:5000/bridge',
    `10.0.0.1:5000/a/bridge:v1@sha256:${'0'.repeat(64)}`,
  ])('they accept the image %s', image => {
    expect(refusalsOf({ images: { bridge: image } })).toEqual([])
  })

  test('no pattern has a lookahead or lookbehind, which Helm’s expressions do not support', () => {
    const patterns = [...readChart('values.schema.json').matchAll(/"pattern": "(.*)"/g)].map(
      ([, pattern]) => pattern,
    )
    expect(patterns.length).toBeGreaterThan(10)
    expect(patterns.filter(pattern => /\(\?[=!<]/.test(pattern ?? ''))).toEqual([])
  })
})

test('the chart of a project has its own version, and the version of the library for its workloads', async () => {
  const project = await chartFiles({ ...options, version: '4.5.6', name: 'acme' })
  expect(parse(project.get('Chart.yaml') ?? '')).toMatchObject({
    version: '4.5.6',
    annotations: { 'trellis.gardener.cloud/version': version },
  })
})

describe('the templates', () => {
  const templates = [...files].filter(([path]) => path.startsWith('templates/'))

  test('they use no function that gardenlet does not support', () => {
    for (const [path, text] of templates)
      expect(text, path).not.toMatch(/\blookup\b|helm\.sh\/hook|\.Capabilities/)
  })

  test('they name no function and no component: definitions.yaml has all of them', () => {
    const definitions = parse(readChart('definitions.yaml'))
    const values = parse(readChart('values.yaml'))
    const names = options.functions.map(({ name }) => name)
    expect(Object.keys(definitions.functions)).toEqual(names)
    expect(Object.keys(values.functions)).toEqual(names)
    expect(Object.keys(definitions.components)).toEqual(Object.keys(values.webhook.components))
    for (const name of [...names, ...Object.keys(definitions.components)])
      for (const [path, text] of templates) expect(text.includes(name), `${name} in ${path}`).toBe(false)
  })

  test('they do not evaluate the braces of alerts and dashboards, whose readers do', () => {
    expect(readChart('monitoring.yaml')).toContain('{{ $labels.kind }}')
    for (const [path, text] of templates) expect(text, path).not.toMatch(/\btpl\b/)
  })
})

describe('a packed chart', () => {
  test('equal files give equal bytes, with all files in one folder', async () => {
    const archive = await chartArchive(files)
    expect(await chartArchive(new Map([...files].toReversed()))).toEqual(archive)
    const found = new Map<string, string>()
    const tar = extract()
    tar.end(gunzipSync(archive))
    for await (const entry of tar) {
      let text = ''
      for await (const chunk of entry.setEncoding('utf8')) text += chunk
      found.set(entry.header.name, text)
    }
    expect(found).toEqual(new Map([...files].map(([path, text]) => [`trellis/${path}`, text])))
  })
})
