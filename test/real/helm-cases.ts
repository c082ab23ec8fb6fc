import { profileNames } from '../../knative/knative.ts'
import { installable } from './helm-charts.ts'

export const enabled = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { enabled: true }] as const))

export const allNames = installable.functions.map(({ name }) => name)
export const components = [
  ...new Set(
    installable.webhooks.filter(({ target }) => target !== 'garden').map(({ component }) => component),
  ),
]

/** The values that gardenlet adds. */
export const gardener = {
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

/** Returns the map with null in place of each value at this depth: 1 is the top. */
export const nulledAt = (depth: number, value: unknown): unknown =>
  depth === 0
    ? null
    : typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, nulledAt(depth - 1, one)]))
      : value

/** Values that together set every value and render every part, by a description. */
export const chartCases: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
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
  ...[{}, { compact: true }, { mode: 'seed-process' }].map(
    mode =>
      [
        `an image vector, ${JSON.stringify(mode)}`,
        {
          gardener,
          ...mode,
          imageVectorOverwrite: 'images:\n- name: "csi <&> ä"\n  ref: registry.example.com/csi:v1 # \t\n',
          functions: enabled(allNames),
          webhook: { components: enabled(components) },
        },
      ] as const,
  ),
  [
    'the garden, in the runtime cluster',
    {
      gardener: { runtimeCluster: { enabled: 'true', priorityClassName: 'gardener-garden-system-200' } },
      functions: enabled(allNames),
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
              'aws-dnsrecord': { enabled: true, concurrency: 7, maxScale: 5 },
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
