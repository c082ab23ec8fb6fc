import fc from 'fast-check'
import { type KindName, kinds } from '../../../../shared/contract/kinds.ts'
import type { FunctionDefinition } from '../../../../shared/runtime/runtime.ts'
import { absent, arbitraryOf, type Overlay, schemaOf } from '../space/arbitrary-of.ts'
import { exampleObjects } from '../space/example-objects.ts'
import { rarely } from '../space/rarely.ts'
import { refusedUpdates, refusedWrites } from '../space/troubles.ts'
import type { Configuration, LoadedSpace, WalkSpace } from '../space/walk-space.ts'

/** An arbitrary part of a configuration. */
type Part = fc.Arbitrary<unknown>

const specOf = (kind: KindName, overlay: Overlay, type = 'local'): Part =>
  arbitraryOf(schemaOf(kinds[kind].schema.shape.spec), {
    type: fc.constant(type),
    class: absent,
    providerConfig: absent,
    ...overlay,
  })

const secretIn = (namespace: string, name = 'cloudprovider'): Overlay => ({
  'secretRef.name': fc.constant(name),
  'secretRef.namespace': fc.constant(namespace),
})

const configurations = (parts: Readonly<Record<string, Part>>) =>
  fc.record(parts) as unknown as fc.Arbitrary<Configuration>

interface LocalSpace extends Pick<LoadedSpace, 'troubles'> {
  readonly load: () => Promise<{ readonly definition: FunctionDefinition }>
  readonly parts?: (networking: Part) => Readonly<Record<string, Part>>
  /** The configurations of a shoot, if immutable fields are chosen first. */
  readonly shoots?: LoadedSpace['shoots']
  readonly example: string
  readonly surroundings?: string
}

const spaceOf = (
  name: string,
  { load, parts = () => ({}), shoots, example, surroundings, ...space }: LocalSpace,
): WalkSpace => ({
  name: `local/${name}`,
  load: async () => ({
    definition: (await load()).definition,
    shoots:
      shoots ??
      fc
        .constantFrom(['IPv4'], ['IPv4', 'IPv6'])
        .map(families => configurations(parts(networkingOf(families)))),
    // gardener, pkg/api/extensions/validation: ValidateIPFamiliesUpdate
    admission: (before, after) =>
      before !== undefined && familiesOf(before).length > familiesOf(after).length ? 'impossible' : undefined,
    objects: await exampleObjects(`local/${example}.yaml`, surroundings && `local/${surroundings}.yaml`),
    ...space,
  }),
})

type Families = readonly string[]

/** A shoot with IPv4 may get IPv6. */
const networkingOf = (first: Families) =>
  fc.record({
    pods: fc.constant('10.3.0.0/16'),
    nodes: fc.constantFrom('10.0.128.0/17', '10.1.0.0/17'),
    ipFamilies: fc.oneof({ weight: 6, arbitrary: fc.constant(first) }, fc.constant(['IPv4', 'IPv6'])),
  })
const familiesOf = ({ shoot }: Configuration): Families => Object(shoot).spec?.networking?.ipFamilies ?? []
const kubernetes = fc.record({ version: fc.constantFrom('1.33.3', '1.34.1') })
const hibernation = fc.record({ enabled: fc.constantFrom(false, false, true) })

const images = (...versions: readonly string[]) => ({
  machineImages: [
    {
      name: 'local',
      versions: versions.map(version => ({ version, image: `registry.example.org/node:${version}` })),
    },
  ],
})
const cloudProfile = fc.record({
  spec: fc.record({
    providerConfig: fc.constant(images('1.0.0', '1.1.0')),
  }),
})

const annotated = (name: string) => fc.record({ annotations: fc.constantFrom({}, { [name]: 'true' }) })

const extensionOf = (name: string, load: LocalSpace['load']): WalkSpace =>
  spaceOf(name, {
    load,
    parts: () => ({
      spec: specOf('Extension', {}, `local-ext-${name.slice('extension-'.length)}`),
      shoot: fc.record({
        metadata: annotated('shoot.gardener.cloud/test-force-delete'),
        spec: fc.record({ hibernation, kubernetes }),
      }),
    }),
    example: name,
  })

const poolOf = (name: string) =>
  arbitraryOf(schemaOf(kinds.Worker.schema.shape.spec.shape.pools.element), {
    name: fc.constant(name),
    machineType: fc.constant('local'),
    machineImage: rarely(fc.constantFrom('1.0.0', '1.1.0'), '9.9.9').map(version => ({
      name: 'local',
      version,
    })),
    architecture: fc.constant('amd64'),
    minimum: fc.constantFrom(0, 1, 2),
    maximum: fc.constantFrom(2, 3),
    maxSurge: fc.constantFrom(1, '25%'),
    maxUnavailable: fc.constantFrom(0, 1),
    labels: fc.constantFrom(undefined, { 'example.com/label': 'one' }),
    annotations: fc.constantFrom(undefined, { 'example.com/annotation': 'one' }),
    taints: fc.constantFrom(undefined, [{ key: 'example.com/taint', effect: 'NoSchedule' }]),
    nodeAgentSecretName: fc.constantFrom(`gardener-node-agent-${name}-1`, `gardener-node-agent-${name}-2`),
    userDataSecretRef: fc.constant({ name: 'osc-result-gardener-node-agent-pool', key: 'cloud_config' }),
    providerConfig: absent,
    volume: absent,
    dataVolumes: absent,
    kubeletDataVolumeName: absent,
    zones: fc.constantFrom(undefined, ['0'], ['0', '1']),
    machineControllerManager: absent,
    kubernetesVersion: fc.constantFrom('1.33.3', '1.33.7'),
    kubeletConfig: absent,
    nodeTemplate: fc.constantFrom(undefined, { capacity: { cpu: '2', gpu: '0', memory: '4Gi' } }),
    clusterAutoscaler: absent,
    priority: fc.constantFrom(undefined, 1),
    updateStrategy: absent,
  })

const shootNamespace = 'shoot--garden--local'

export const local: readonly WalkSpace[] = [
  spaceOf('infrastructure', {
    load: () => import('../../../../functions/local/infrastructure/function.ts'),
    parts: networking => ({
      spec: specOf('Infrastructure', {
        ...secretIn(shootNamespace),
        region: fc.constant('local'),
        sshPublicKey: absent,
      }),
      shoot: fc.record({ spec: fc.record({ networking }) }),
    }),
    example: 'infrastructure',
    troubles: { 'no permission for policies': { cloud: refusedWrites('networkpolicies') } },
  }),
  spaceOf('worker', {
    load: () => import('../../../../functions/local/worker/function.ts'),
    parts: networking => ({
      spec: specOf('Worker', {
        ...secretIn('shoot--local--pools'),
        region: fc.constant('local'),
        sshPublicKey: absent,
        infrastructureProviderStatus: absent,
        pools: fc
          .tuple(poolOf('first'), fc.option(poolOf('second'), { nil: undefined }))
          .map(pools => pools.filter(pool => pool !== undefined)),
      }),
      shoot: fc.record({ spec: fc.record({ networking, hibernation }) }),
      cloudProfile,
    }),
    example: 'worker',
  }),
  spaceOf('controlplane', {
    load: () => import('../../../../functions/local/controlplane/function.ts'),
    parts: networking => ({
      spec: specOf('ControlPlane', {
        ...secretIn('shoot--local--control-plane'),
        region: fc.constant('local'),
        infrastructureProviderStatus: absent,
      }),
      shoot: fc.record({ spec: fc.record({ hibernation, kubernetes, networking }) }),
    }),
    example: 'controlplane',
  }),
  spaceOf('dnsrecord', {
    load: () => import('../../../../functions/local/dnsrecord/function.ts'),
    shoots: fc
      .constantFrom(
        ['A', ['203.0.113.10', '203.0.113.11']] as const,
        ['AAAA', ['2001:db8::10', '2001:db8::11']] as const,
        ['CNAME', ['target.example.org', 'other.example.org']] as const,
      )
      .map(([type, values]) =>
        configurations({
          spec: specOf('DNSRecord', {
            ...secretIn('shoot--garden--daisy', 'dnsrecord-daisy-external'),
            region: absent,
            zone: absent,
            name: fc.constant('api.daisy.garden.local.gardener.cloud'),
            recordType: fc.constant(type),
            // Two names are refused.
            values: fc.subarray([...values], { minLength: 1 }),
            ttl: fc.constantFrom(undefined, 60, 120, 300, -1),
          }),
        }),
      ),
    example: 'dnsrecord',
    troubles: { 'no permission to update': { cloud: refusedUpdates } },
  }),
  spaceOf('bastion', {
    load: () => import('../../../../functions/local/bastion/function.ts'),
    parts: networking => ({
      spec: specOf('Bastion', {
        userData: fc.constant(btoa('#!/bin/bash\necho hi\n')),
        ingress: fc
          .subarray(['203.0.113.7/32', '2001:db8:7::/48'], { minLength: 1 })
          .map(some => some.map(cidr => ({ ipBlock: { cidr } }))),
      }),
      shoot: fc.record({ spec: fc.record({ networking }) }),
      cloudProfile: fc.record({
        spec: fc.record({ providerConfig: fc.constant(images('1.0.0')) }),
      }),
    }),
    example: 'shoot-bastion',
    surroundings: 'infrastructure',
    troubles: {
      'no permission for pods': { cloud: refusedWrites('pods') },
      'no permission for services': { cloud: refusedWrites('services') },
    },
  }),
  spaceOf('selfhostedshootexposure', {
    load: () => import('../../../../functions/local/selfhostedshootexposure/function.ts'),
    parts: networking => ({
      spec: specOf('SelfHostedShootExposure', {
        credentialsRef: fc.constant({
          apiVersion: 'v1',
          kind: 'Secret',
          name: 'cloudprovider',
          namespace: shootNamespace,
        }),
        port: fc.constantFrom(443, 6443),
        endpoints: fc.subarray(
          [
            {
              nodeName: 'control-plane-0',
              addresses: [
                { type: 'InternalIP', address: '10.0.128.5' },
                { type: 'Hostname', address: 'control-plane-0' },
              ],
            },
            { nodeName: 'control-plane-1', addresses: [{ type: 'InternalIP', address: '10.0.128.6' }] },
            { nodeName: 'control-plane-2', addresses: [{ type: 'InternalIP', address: 'fd00:10::6' }] },
          ],
          { minLength: 1 },
        ),
      }),
      shoot: fc.record({ spec: fc.record({ networking }) }),
    }),
    example: 'selfhostedshootexposure',
    surroundings: 'infrastructure',
    troubles: { 'no permission for endpoints': { cloud: refusedWrites('endpointslices') } },
  }),
  spaceOf('backupbucket', {
    load: () => import('../../../../functions/local/backupbucket/function.ts'),
    parts: () => ({
      spec: specOf('BackupBucket', {
        ...secretIn('garden', 'bucket-4c1d7e92-local-backups'),
        region: fc.constantFrom('local', 'other'),
      }),
    }),
    example: 'backupbucket',
  }),
  spaceOf('backupentry', {
    load: () => import('../../../../functions/local/backupentry/function.ts'),
    parts: () => ({
      spec: specOf('BackupEntry', {
        ...secretIn('garden', 'generated-bucket-4c1d7e92-local-backups'),
        region: fc.constantFrom('local', 'other'),
        bucketName: rarely(fc.constantFrom('4c1d7e92-local-backups', 'other-bucket'), '..'),
        backupBucketProviderStatus: absent,
      }),
    }),
    example: 'backupentry',
  }),
  extensionOf('extension-seed', () => import('../../../../functions/local/extension-seed/function.ts')),
  extensionOf('extension-shoot', () => import('../../../../functions/local/extension-shoot/function.ts')),
  extensionOf(
    'extension-shoot-after-worker',
    () => import('../../../../functions/local/extension-shoot-after-worker/function.ts'),
  ),
]
