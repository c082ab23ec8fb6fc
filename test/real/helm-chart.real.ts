import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { chartFiles, contentsOf, mergeValues, parseValues } from '../../knative/chart/chart.ts'
import { allNames, chartCases, components, enabled, gardener, nulledAt } from './helm-cases.ts'
import {
  expectedObjects,
  type HelmChart,
  installable,
  objectsOf,
  packChart,
  withRegistry,
} from './helm-charts.ts'
import { describeWith } from './with-part.ts'

describeWith('helm', 'the chart, by helm', programs => {
  let chart: HelmChart
  beforeAll(async () => {
    chart = await packChart(programs)
  })
  afterAll(() => chart?.close())

  const template = async (values: object) => chart.helm('template', ...(await chart.with(values)))

  test('passes lint, including warnings', async () => {
    expect(await chart.helm('lint', '--strict', chart.archive)).toContain(
      '1 chart(s) linted, 0 chart(s) failed',
    )
  })

  test.each(chartCases)('renders the objects of the definitions for %s', async (_, values) => {
    const expected = expectedObjects(values)
    expect(expected.length).toBeGreaterThan(10)
    expect(objectsOf(await template(values))).toEqual(expected)
  })

  const few = { seed: 'a', functions: enabled(['aws-worker', 'aws-dnsrecord']) }
  test.each([
    ['few values', few],
    ['a compact process and a profile', { ...few, compact: true, broker: { profile: 'rabbitmq' } }],
    ['the seed process', { ...few, mode: 'seed-process', webhook: { components: enabled(components) } }],
    ['monitoring', { ...few, monitoring: { enabled: true } }],
  ])('gives each value that is null or absent its default, as install does: %s', async (_, given) => {
    const defaults = parseValues(contentsOf(installable), {})
    const former = await packChart(
      programs,
      new Map([...(await chartFiles(installable)), ['values.yaml', '{}\n']]),
    )
    try {
      const expected = expectedObjects(given)
      // As helm upgrade --reuse-values: the values of the former chart replace those of values.yaml.
      const absent = await former.helm('template', ...(await former.with(given)))
      expect(objectsOf(absent)).toEqual(expected)
      for (const depth of [1, 2, 3, 4]) {
        const values = mergeValues(nulledAt(depth, defaults), withRegistry(given))
        expect(expectedObjects(Object(values))).toEqual(expected)
        expect(objectsOf(await template(Object(values)))).toEqual(expected)
      }
    } finally {
      await former.close()
    }
  })

  test('omits an entry of a map that is null, as install does', async () => {
    const without = { ...few, podLabels: { a: 'b' }, functionEnv: { A: '1' } }
    const values = {
      ...few,
      podLabels: { a: 'b', team: null },
      functionEnv: { A: '1', B: null },
      images: { bridge: null },
      broker: { config: null, annotations: { c: null } },
      gardener: { seed: null },
    }
    const expected = expectedObjects(without)
    expect(expectedObjects(values)).toEqual(expected)
    expect(objectsOf(await template(values))).toEqual(expected)
  })

  test('renders the names of the configurations in the runtime cluster of a garden', async () => {
    const namespace = 'runtime-extension-trellis'
    const values = {
      seed: 'a',
      functions: enabled(['aws-worker']),
      webhook: { components: enabled(components) },
    }
    const text = await chart.helm('template', ...(await chart.with(values, namespace)))
    expect(objectsOf(text)).toEqual(expectedObjects(values, namespace))
    expect(text).toContain('gardener-extension-provider-aws-runtime')
  })

  test('has no two objects of one kind and name in a file, of which gardenlet would apply only one', async () => {
    const text = await template({
      gardener,
      compact: true,
      functions: enabled(allNames),
      webhook: { components: enabled(components) },
      broker: { profile: 'rabbitmq' },
      monitoring: { enabled: true },
    })
    const names = text.split('\n---\n').map(document => {
      const [, file] = /^# Source: (.*)$/m.exec(document) ?? []
      const [, kind] = /^kind: (.*)$/m.exec(document) ?? []
      const [, name] = /^ {2}name: (.*)$/m.exec(document) ?? []
      return `${file} ${kind}/${name}`.toLowerCase()
    })
    expect(names.length).toBeGreaterThan(50)
    expect(new Set(names).size).toBe(names.length)
  })

  describe('refuses a value and names the key:', () => {
    test.each<[string, object, string]>([
      ['nothing enabled', { seed: 'a' }, 'set functions.<name>.enabled to true'],
      ['no seed', { functions: enabled(['aws-worker']) }, 'seed: set the name of the seed'],
      [
        'images without a registry',
        { seed: 'a', functions: enabled(['aws-worker']), image: { tag: 'v1' } },
        'image.registry: set the registry of the images',
      ],
      [
        'one image without a registry',
        {
          seed: 'a',
          functions: enabled(['aws-worker']),
          image: {},
          images: { bridge: 'registry.example/bridge:1' },
        },
        'or the image in images.aws-worker: --set image.registry=registry.example.com/trellis',
      ],
      ['a misspelt key', { logLevl: 'info' }, "additional properties 'logLevl' not allowed"],
      [
        'a misspelt key of a function',
        { functions: { 'aws-worker': { enabld: true } } },
        "at '/functions/aws-worker': additional properties 'enabld' not allowed",
      ],
      [
        'an unknown function',
        { functions: { acme: {} } },
        "at '/functions': additional properties 'acme' not allowed",
      ],
      [
        'an unknown component',
        { webhook: { components: { acme: {} } } },
        "at '/webhook/components': additional properties 'acme'",
      ],
      [
        'a registry without a host',
        { image: { registry: 'trellis' } },
        "at '/image/registry': 'trellis' does not match",
      ],
      ['an image without a registry', { images: { bridge: 'trellis/bridge:1' } }, "at '/images/bridge'"],
      ['an unknown level', { logLevel: 'loud' }, "at '/logLevel': value must be one of 'debug'"],
      [
        'no pods',
        { functions: { 'aws-worker': { maxScale: 0 } } },
        "at '/functions/aws-worker/maxScale': minimum",
      ],
      [
        'memory with an unknown unit',
        { bridge: { resources: { memory: '1GB' } } },
        "at '/bridge/resources/memory'",
      ],
      [
        'a number for a variable',
        { functionEnv: { A: 1 } },
        "at '/functionEnv/A': got number, want null or string",
      ],
      ['a malformed duration', { broker: { delivery: { timeout: '75s' } } }, "at '/broker/delivery/timeout'"],
      [
        'a profile and a class',
        { seed: 'a', functions: enabled(['aws-worker']), broker: { profile: 'kafka', class: 'Kafka' } },
        'broker.class: a profile sets the class',
      ],
      [
        'a broker of the seed process',
        {
          seed: 'a',
          mode: 'seed-process',
          functions: enabled(['aws-worker']),
          broker: { profile: 'kafka' },
        },
        'broker: the mode seed-process has no broker: remove profile and class',
      ],
      ['an unknown profile', { broker: { profile: 'redis' } }, "at '/broker/profile': value must be one of"],
      [
        'functions of one process with different values',
        {
          seed: 'a',
          compact: true,
          functions: {
            'aws-worker': { enabled: true, env: { A: '1' } },
            'aws-dnsrecord': { enabled: true, env: { A: '2' } },
          },
        },
        'another function of its process has another value',
      ],
      [
        'a gateway without a namespace',
        { networkPolicies: { gateways: [{}] } },
        "missing property 'namespace'",
      ],
    ])('%s', async (_, values, refusal) => {
      await expect(template(values)).rejects.toThrow(refusal)
    })
  })

  test('leaves the label templates of alerts to Prometheus', async () => {
    const text = await template({
      seed: 'a',
      functions: enabled(['aws-dnsrecord']),
      monitoring: { enabled: true },
    })
    expect(text).toContain('{{ $labels.')
    expect(text).not.toContain('{{ `')
  })

  test('has its default values in values.yaml', async () => {
    const shown = parse(await chart.helm('show', 'values', chart.archive))
    const file = new URL('../../knative/chart/trellis/values.yaml', import.meta.url)
    expect(shown).toEqual(parse(await readFile(file, 'utf8')))
  })
})
