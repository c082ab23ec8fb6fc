import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { profileNames } from '../../deploy/knative/knative.ts'
import { expectedObjects, type HelmChart, installable, objectsOf, packChart } from './helm-charts.ts'
import { describeWith } from './with-part.ts'

const enabled = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { enabled: true }] as const))

const allNames = installable.functions.map(({ name }) => name)
const components = [
  ...new Set(
    installable.webhooks.filter(({ target }) => target !== 'garden').map(({ component }) => component),
  ),
]

/** The values that gardenlet adds. */
const gardener = {
  version: 'v1.150.0',
  garden: { clusterIdentity: 'garden', genericKubeconfigSecretName: 'generic-garden-kubeconfig-1a2b3c4d' },
  gardenlet: { featureGates: { DefaultSeccompProfile: true } },
  seed: {
    name: 'eu-1',
    clusterIdentity: 'eu-1-id',
    annotations: null,
    labels: { 'seed.gardener.cloud/provider': 'aws' },
    provider: 'aws',
    region: 'eu-west-1',
    volumeProviders: null,
    protected: false,
    visible: true,
    taints: null,
    networks: { pods: '10.0.0.0/16' },
    spec: { settings: { scheduling: { visible: true } } },
  },
}

/** Returns every third item, every fifth, and so on: subsets with different adjacent items. */
const some = (all: readonly string[], step: number) => all.filter((_, index) => index % step === 0)

const cases: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['one function, with plain Helm', { seed: 'a', functions: enabled(['aws-dnsrecord']) }],
  [
    'all functions and webhooks',
    { gardener, functions: enabled(allNames), webhook: { components: enabled(components) } },
  ],
  ...[2, 3, 5, 7].map(
    step =>
      [
        `each ${step}th function and component`,
        {
          gardener,
          functions: enabled(some(allNames, step)),
          webhook: { components: enabled(some(components, step)) },
        },
      ] as const,
  ),
  ...components.map(
    component =>
      [
        `the webhooks of ${component}`,
        { gardener, functions: enabled(['aws-worker']), webhook: { components: enabled([component]) } },
      ] as const,
  ),
  [
    'the garden, in the runtime cluster',
    {
      gardener: { runtimeCluster: { enabled: 'true', priorityClassName: 'gardener-garden-system-200' } },
      functions: enabled(['oidc-extension']),
    },
  ],
  [
    'a self-hosted shoot',
    {
      gardener: { selfHostedShootCluster: true, shoot: { name: 'own', namespace: 'garden' } },
      usablePorts: [8080, 8081],
      functions: enabled(['local-worker']),
    },
  ],
  [
    'all values at once',
    {
      gardener,
      seed: 'other "quoted" {{ name }}',
      image: { registry: 'localhost:5000/a', tag: 'v1', pullSecrets: ['one', 'two'] },
      images: { bridge: `registry.example/bridge@sha256:${'a'.repeat(64)}` },
      logLevel: 'debug',
      functions: {
        'aws-worker': {
          enabled: true,
          maxScale: 9,
          concurrency: 0,
          cpu: '1',
          memory: { request: '1Gi', limit: '2Gi' },
          gardenAccess: true,
          env: { TRELLIS_LOG_LEVEL: 'warn', A: '1', TRUE: 'true' },
        },
        'local-dnsrecord': { enabled: true },
      },
      functionEnv: { A: '2', HTTPS_PROXY: 'http://proxy: 3128' },
      bridge: {
        replicas: 1,
        resources: { cpu: '1', memory: '1Gi', memoryLimit: '2Gi' },
        env: { NODE_OPTIONS: '' },
      },
      webhook: { components: enabled(['provider-aws']), replicas: 3, env: { B: '{{ .Values }}' } },
      broker: {
        name: 'events',
        class: 'Kafka',
        annotations: { 'kafka.eventing.knative.dev/external.topic': 'a' },
        config: { apiVersion: 'v1', kind: 'ConfigMap', name: 'kafka', namespace: 'knative-eventing' },
        delivery: { retry: 0, backoffPolicy: 'linear', backoffDelay: 'PT0.5S', timeout: 'PT1M30S' },
      },
      networkPolicies: { gateways: [{ namespace: 'mesh', labels: { app: 'gateway' } }] },
      eventPolicies: { enabled: true },
      extensions: ['provider-aws', 'trellis-aws'],
      priorityClassName: '',
      podLabels: { team: 'network', on: 'true' },
    },
  ],
  [
    'the seed process, with all functions and webhooks',
    {
      mode: 'seed-process',
      gardener,
      functions: enabled(allNames),
      webhook: { components: enabled(components) },
      monitoring: { enabled: true },
    },
  ],
  [
    'the seed process, with values',
    {
      mode: 'seed-process',
      gardener,
      images: { seed: `registry.example/seed@sha256:${'a'.repeat(64)}` },
      logLevel: 'debug',
      functions: {
        'aws-worker': {
          enabled: true,
          concurrency: 0,
          gardenAccess: true,
          env: { A: '1', TRELLIS_LOG_LEVEL: 'warn' },
        },
        'local-dnsrecord': { enabled: true, concurrency: 7 },
        'local-extension-shoot': { enabled: true },
        'local-extension-shoot-after-worker': { enabled: true },
      },
      functionEnv: { A: '1', HTTPS_PROXY: 'http://proxy:3128/?a=<b>&c', TRELLIS_PORT: '1' },
      seedProcess: {
        replicas: 2,
        resources: { cpu: '1', memory: '1Gi', memoryLimit: '2Gi' },
        env: { NODE_OPTIONS: '' },
      },
      bridge: { env: { B: '1' } },
      webhook: { components: enabled(['provider-aws']) },
      networkPolicies: { enabled: false },
      eventPolicies: { enabled: true },
      podLabels: { team: 'network' },
    },
  ],
  ...profileNames.flatMap(profile =>
    [{}, { eventPolicies: { enabled: true }, networkPolicies: { enabled: false } }].map(
      (others, index) =>
        [
          `the broker ${profile}${index === 0 ? '' : ', without network policies'}`,
          {
            gardener,
            functions: {
              ...enabled(some(allNames, 2)),
              'aws-worker': { enabled: true, concurrency: 0 },
              'aws-dnsrecord': { enabled: true, concurrency: 7, maxScale: 3 },
            },
            broker: { profile, annotations: { a: 'b' }, rabbitmq: { name: 'events' } },
            ...others,
          },
        ] as const,
    ),
  ),
  [
    'a profile with another config',
    {
      gardener,
      functions: enabled(allNames),
      broker: {
        profile: 'rabbitmq',
        config: { apiVersion: 'eventing.knative.dev/v1alpha1', kind: 'RabbitmqBrokerConfig', name: 'own' },
        rabbitmq: { namespace: 'mq' },
      },
      networkPolicies: { gateways: [{ namespace: 'mesh', labels: { app: 'gateway' } }] },
    },
  ],
  [
    'monitoring of functions and webhooks',
    {
      gardener,
      functions: enabled(allNames),
      webhook: { components: enabled(components) },
      monitoring: { enabled: true },
    },
  ],
  [
    'monitoring of functions only, for another Prometheus',
    {
      gardener,
      functions: enabled(['aws-dnsrecord']),
      monitoring: { enabled: true, namespace: 'monitoring', prometheus: 'own' },
    },
  ],
  ...[1, 2, 3, 5, 7].map(
    step =>
      [
        `each ${step}th function, compact`,
        {
          gardener,
          compact: true,
          functions: enabled(some(allNames, step)),
          webhook: { components: enabled(some(components, step)) },
          broker: { profile: step === 2 ? 'rabbitmq' : '' },
          monitoring: { enabled: step === 3 },
        },
      ] as const,
  ),
  [
    'a compact process with all values',
    {
      gardener,
      compact: true,
      images: { 'aws-compact': `registry.example/aws@sha256:${'a'.repeat(64)}` },
      functions: {
        'aws-worker': {
          enabled: true,
          maxScale: 9,
          concurrency: 600,
          gardenAccess: true,
          env: { TRELLIS_LOG_LEVEL: 'warn', A: '1', NODE_OPTIONS: '' },
        },
        'aws-dnsrecord': { enabled: true, maxScale: 12, concurrency: 600, env: { A: '1', B: '3' } },
        'aws-bastion': { maxScale: 1, env: { A: '2' } },
        'local-worker': { enabled: true, concurrency: 0 },
        'local-dnsrecord': { enabled: true },
      },
      functionEnv: { A: '2', C: '{{ c }}' },
      podLabels: { team: 'network' },
    },
  ],
  [
    'without optional parts',
    {
      seed: 'a',
      functions: enabled(['calico-network']),
      networkPolicies: { enabled: false },
      verticalPodAutoscaler: { enabled: false },
    },
  ],
]

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

  test.each(cases)('renders the objects of the definitions for %s', async (_, values) => {
    const expected = expectedObjects(values)
    expect(expected.length).toBeGreaterThan(10)
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
      ['a number for a variable', { functionEnv: { A: 1 } }, "at '/functionEnv/A': got number, want string"],
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
    const file = new URL('../../deploy/chart/trellis/values.yaml', import.meta.url)
    expect(shown).toEqual(parse(await readFile(file, 'utf8')))
  })
})
