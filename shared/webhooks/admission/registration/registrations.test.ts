import { describe, expect, test } from 'vitest'
import { readStored } from '../../../../test/recorded/stored.ts'
import {
  configurationOfShoot,
  defineWebhook,
  type ReviewedResource,
  registrations,
  shootRegistrations,
  type WebhookConfiguration,
  type WebhookDefinition,
  type WebhookOptions,
} from '../admission.ts'
import { tinyWebhook } from '../testing/tiny-webhook.ts'

type Given = Pick<WebhookOptions, 'name' | 'resources'> & Partial<WebhookOptions>

const define = (component: string, given: Given): WebhookDefinition =>
  defineWebhook({ component, action: 'mutate', target: 'seed', review: () => ({}), ...given })

const resource = (group: string, version: string, plural: string, kind: string): ReviewedResource => ({
  group,
  versions: [version],
  plural,
  kind,
})

const ofProvider = {
  namespaceSelector: {
    matchExpressions: [{ key: 'shoot.gardener.cloud/provider', operator: 'In', values: ['aws'] }],
  },
} as const

const exists = (key: string) => ({ key, operator: 'Exists' }) as const
const core = (version: string, plural: string, kind: string) =>
  resource('core.gardener.cloud', version, plural, kind)
const ofAws = { objectSelector: { matchLabels: { 'provider.extensions.gardener.cloud/aws': 'true' } } }
const ofNginx = {
  namespaceSelector: {
    matchExpressions: [{ key: 'gardener.cloud/purpose', operator: 'In', values: ['kube-system'] }],
  },
  objectSelector: { matchLabels: { app: 'nginx-ingress', component: 'controller', release: 'addons' } },
} as const

/** Unsorted on purpose. */
const recorded: readonly WebhookDefinition[] = [
  define('provider-aws', {
    name: 'terraformer',
    resources: [resource('', 'v1', 'pods', 'Pod')],
    ...ofProvider,
    objectSelector: {
      matchExpressions: [
        exists('terraformer.gardener.cloud/name'),
        exists('terraformer.gardener.cloud/purpose'),
      ],
    },
  }),
  define('provider-aws', {
    name: 'seedprovider',
    resources: [resource('druid.gardener.cloud', 'v1alpha1', 'etcds', 'Etcd')],
    namespaceSelector: {
      matchExpressions: [{ key: 'seed.gardener.cloud/provider', operator: 'In', values: ['aws'] }],
    },
  }),
  define('provider-aws', {
    name: 'seed-pvca',
    resources: [
      resource(
        'autoscaling.gardener.cloud',
        'v1alpha1',
        'persistentvolumeclaimautoscalers',
        'PersistentVolumeClaimAutoscaler',
      ),
    ],
  }),
  define('provider-aws', {
    name: 'controlplane',
    resources: [
      resource('extensions.gardener.cloud', 'v1alpha1', 'operatingsystemconfigs', 'OperatingSystemConfig'),
      resource('autoscaling.k8s.io', 'v1', 'verticalpodautoscalers', 'VerticalPodAutoscaler'),
      resource('apps', 'v1', 'deployments', 'Deployment'),
    ],
    ...ofProvider,
    objectSelector: {
      matchLabels: { 'provider.extensions.gardener.cloud/mutated-by-controlplane-webhook': 'true' },
    },
  }),
  define('provider-aws', {
    name: 'cloudprovider',
    resources: [resource('', 'v1', 'secrets', 'Secret')],
    ...ofProvider,
    objectSelector: { matchLabels: { 'gardener.cloud/purpose': 'cloudprovider' } },
  }),
  define('provider-aws', {
    name: 'shoot-service',
    target: 'shoot',
    resources: [resource('', 'v1', 'services', 'Service')],
    objectSelector: {
      matchExpressions: [{ key: 'resources.gardener.cloud/managed-by', operator: 'DoesNotExist' }],
    },
  }),
  define('provider-aws', {
    name: 'shoot-service-nginx-ingress',
    target: 'shoot',
    resources: [resource('', 'v1', 'services', 'Service')],
    ...ofNginx,
  }),
  define('provider-aws', {
    name: 'shoot-configmap',
    target: 'shoot',
    resources: [resource('', 'v1', 'configmaps', 'ConfigMap')],
    ...ofNginx,
  }),
  define('admission-aws', {
    name: 'validator',
    action: 'validate',
    target: 'garden',
    resources: [
      resource('security.gardener.cloud', 'v1alpha1', 'workloadidentities', 'WorkloadIdentity'),
      resource('security.gardener.cloud', '*', 'credentialsbindings', 'CredentialsBinding'),
      core('*', 'shoots', 'Shoot'),
      core('*', 'cloudprofiles', 'CloudProfile'),
      core('*', 'namespacedcloudprofiles', 'NamespacedCloudProfile'),
      core('*', 'secretbindings', 'SecretBinding'),
      core('*', 'seeds', 'Seed'),
      core('*', 'backupbuckets', 'BackupBucket'),
    ],
    ...ofAws,
  }),
  define('admission-aws', {
    name: 'secrets.validator',
    action: 'validate',
    target: 'garden',
    resources: [resource('', 'v1', 'secrets', 'Secret')],
    objectSelector: { matchLabels: { 'provider.shoot.gardener.cloud/aws': 'true' } },
  }),
  define('admission-aws', {
    name: 'mutator',
    target: 'garden',
    resources: [
      core('v1beta1', 'shoots', 'Shoot'),
      core('v1beta1', 'namespacedcloudprofiles/status', 'NamespacedCloudProfile'),
      core('v1beta1', 'namespacedcloudprofiles', 'NamespacedCloudProfile'),
      core('v1beta1', 'cloudprofiles', 'CloudProfile'),
    ],
    ...ofAws,
  }),
]

const caBundleOf = () => 'CERTIFICATES'

const registered = (definitions: readonly WebhookDefinition[]) =>
  registrations(definitions, { namespace: 'there', caBundleOf })

/** Omits the parts that differ between extensions: certificates and paths. */
const comparable = ({ metadata, kind, webhooks = [] }: WebhookConfiguration) => ({
  kind,
  metadata,
  webhooks: webhooks.map(({ clientConfig, rules = [], ...webhook }) => ({
    ...webhook,
    service: { ...clientConfig.service, path: undefined },
    rules: rules.map(rule => JSON.stringify(rule)).toSorted(),
  })),
})

describe('recorded configurations', () => {
  const { configurations } = readStored('webhooks/registrations.json') as {
    readonly configurations: readonly WebhookConfiguration[]
  }

  test.each(
    configurations.map(recording => [`${recording.kind} ${recording.metadata.name}`, recording] as const),
  )('are those of the Go components: %s', (_, recording) => {
    const { name } = recording.metadata
    const [owner] = (recording.metadata.ownerReferences ?? []) as readonly { readonly name: string }[]
    const own = registrations(recorded, { namespace: owner?.name ?? '', caBundleOf, ownerUid: 'u' }).find(
      ({ kind, metadata }) => kind === recording.kind && metadata.name === name,
    )
    expect(own && comparable(own)).toEqual(
      comparable({
        ...recording,
        metadata: { ...recording.metadata, ownerReferences: [{ ...owner, uid: 'u' }] },
      }),
    )
  })

  test('the shoot configurations match those of the Go extension', () => {
    const golden = readStored('controlplane/default.json') as {
      readonly managedResources: Readonly<
        Record<
          string,
          { readonly secrets: Readonly<Record<string, { readonly objects: WebhookConfiguration[] }>> }
        >
      >
    }
    const [recording] = Object.values(
      golden.managedResources['extension-controlplane-shoot-webhooks']?.secrets ?? {},
    ).flatMap(({ objects }) => objects)
    const [own] = shootRegistrations(recorded, { namespace: 'extension-provider-aws', caBundleOf })
    expect(own?.metadata).toEqual(recording?.metadata)
    const defaults = { namespaceSelector: {}, objectSelector: {}, reinvocationPolicy: 'Never' }
    const lines = (configuration: WebhookConfiguration | undefined) =>
      configuration?.webhooks?.map(({ clientConfig: _, rules, ...webhook }) => ({
        ...defaults,
        ...webhook,
        rules: rules?.map(rule => ({ ...rule, scope: '*' })),
      }))
    expect(lines(own)).toEqual(lines(recording))
  })
})

describe('a configuration', () => {
  test('a configuration does not depend on the order of the definitions', () => {
    expect(registered(recorded.toReversed())).toEqual(registered(recorded))
  })

  test('a configuration has the conditions of its definition, or none', () => {
    const matchConditions = [{ name: 'types', expression: "object.spec.type in ['a']" }]
    const [configuration] = registered([tinyWebhook({ matchConditions })])
    expect(configuration?.webhooks?.[0]?.matchConditions).toEqual(matchConditions)
    expect(registered([tinyWebhook()])[0]?.webhooks?.[0]).not.toHaveProperty('matchConditions')
  })

  test('a configuration sends API servers to the path of the component and the webhook', () => {
    const [configuration] = registered([tinyWebhook()])
    expect(configuration?.webhooks?.map(({ clientConfig }) => clientConfig)).toEqual([
      {
        caBundle: Buffer.from('CERTIFICATES').toString('base64'),
        service: {
          namespace: 'there',
          name: 'gardener-extension-provider-tiny',
          path: '/tiny/tiny',
          port: 443,
        },
      },
    ])
  })

  test('a configuration has the URL of a process outside the cluster', () => {
    const [configuration] = registrations([tinyWebhook()], {
      namespace: 'there',
      caBundleOf,
      url: 'https://127.0.0.1:9443',
    })
    expect(configuration?.webhooks?.[0]?.clientConfig).toMatchObject({
      url: 'https://127.0.0.1:9443/tiny/tiny',
    })
  })

  test('a configuration of a shoot names the shoot to the process', () => {
    const [shared] = shootRegistrations([tinyWebhook({ target: 'shoot' })], {
      namespace: 'there',
      caBundleOf,
    })
    const own = shared && configurationOfShoot(shared, 'shoot--foo--bar/proof')
    expect(own?.webhooks?.[0]).toMatchObject({
      clientConfig: {
        url: 'https://gardener-extension-provider-tiny.there:443/tiny/tiny/shoot--foo--bar/proof',
      },
      failurePolicy: 'Ignore',
    })
    expect(registered([tinyWebhook({ target: 'shoot' })])).toEqual([])
  })
})

test('configurations in a namespace of the garden’s runtime cluster differ from those of its seed', () => {
  const options = { namespace: 'runtime-extension-provider-tiny', caBundleOf: () => '' }
  const [own] = registrations([tinyWebhook()], options)
  expect(own?.metadata.name).toBe('gardener-extension-provider-tiny-runtime')
  expect(own?.webhooks?.[0]?.clientConfig.service?.name).toBe('gardener-extension-provider-tiny')
  const [inShoots] = shootRegistrations([tinyWebhook({ target: 'shoot' })], options)
  expect(inShoots?.metadata.name).toBe('gardener-extension-provider-tiny-runtime-shoot')
})
