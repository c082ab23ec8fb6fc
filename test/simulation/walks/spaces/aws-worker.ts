import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { workerConfigSchema } from '../../../../functions/aws/worker/machines/machines.ts'
import { shootObjects } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import type { WorkerPool } from '../../../../shared/contract/objects.ts'
import { cloudProfile } from '../../../worker/shoot.ts'
import { isRecord } from '../json.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { rarely } from '../space/rarely.ts'
import { withoutKey } from '../space/troubles.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'

const namespace = 'shoot--garden--pools'
const region = 'eu-west-1'
const letters = ['a', 'b', 'c'] as const
const zones = letters.map(letter => `${region}${letter}`)

const configOf = arbitraryOf(schemaOf(workerConfigSchema), {
  apiVersion: fc.constant('aws.provider.extensions.gardener.cloud/v1alpha1'),
  kind: fc.constant('WorkerConfig'),
  'nodeTemplate.capacity': fc.constantFrom(undefined, { cpu: '4' }, { cpu: '4', 'example.com/card': 1 }),
  'nodeTemplate.virtualCapacity': fc.constantFrom(undefined, { 'example.com/license': '2' }),
  'volume.iops': rarely<number | undefined>(fc.constantFrom(undefined, 3_000, 4_000), 0),
  'volume.throughput': fc.constantFrom(undefined, 150, 200),
  dataVolumes: fc.constantFrom(undefined, undefined, [], [{ name: 'data', iops: 3_500 }]),
  iamInstanceProfile: rarely<object | undefined>(
    fc.constantFrom(
      undefined,
      { name: 'own-profile' },
      { arn: 'arn:aws:iam::123456789012:instance-profile/own' },
    ),
    {},
  ),
  'instanceMetadataOptions.httpTokens': fc.constantFrom(undefined, 'required', 'optional'),
  'instanceMetadataOptions.httpPutResponseHopLimit': rarely<number | undefined>(
    fc.constantFrom(undefined, 2, 3),
    99,
  ),
  cpuOptions: fc.constantFrom(
    undefined,
    { coreCount: 1, threadsPerCore: 2 },
    { coreCount: 2, threadsPerCore: 1 },
  ),
  capacityReservation: fc.constantFrom(
    undefined,
    { capacityReservationPreference: 'open' },
    { capacityReservationPreference: 'none' },
  ),
  'instanceMarketOptions.marketType': rarely(fc.constantFrom('spot', 'capacity-block'), 'auction'),
  networkInterfaces: fc.constantFrom(
    undefined,
    [{ type: 'efa', deviceIndex: 0, networkCardIndex: 0 }],
    [{ networkCardIndexRange: { from: 0, to: 2 } }],
  ),
  placement: fc.constantFrom(undefined, { tenancy: 'dedicated' }, { partitionNumber: 1 }),
})

const duration = fc.constantFrom(undefined, '5m0s', '20m0s', '2h0m0s')
const share = fc.constantFrom(undefined, '0.5', '0.7')
const texts = (key: string) =>
  fc.constantFrom(undefined, { [key]: 'one' }, { [key]: 'two', [`${key}-more`]: 'three' })

const poolOf = (name: string) =>
  arbitraryOf(schemaOf(kinds.Worker.schema.shape.spec.shape.pools.element), {
    name: fc.constant(name),
    machineType: rarely(fc.constantFrom('m5.large', 'm5.xlarge'), 'm9.huge'),
    machineImage: rarely<object | undefined>(
      rarely(fc.constantFrom('1877.3.0', '1877.4.0'), '9999.0.0').map(version => ({
        name: 'gardenlinux',
        version,
      })),
      undefined,
    ),
    architecture: fc.constant('amd64'),
    minimum: fc.constantFrom(0, 1, 2),
    maximum: fc.constantFrom(2, 3, 7),
    maxSurge: fc.constantFrom(1, 2, '25%'),
    maxUnavailable: fc.constantFrom(0, 1, '10%'),
    labels: texts('example.com/label'),
    annotations: texts('example.com/annotation'),
    taints: fc.constantFrom(undefined, [{ key: 'example.com/taint', effect: 'NoSchedule' }]),
    // gardenlet derives it from the pool.
    nodeAgentSecretName: absent,
    userDataSecretRef: fc.constant({ name: `gardener-node-init-${name}`, key: 'cloud_config' }),
    providerConfig: fc.option(configOf, { nil: undefined }),
    volume: fc.oneof(
      {
        weight: 60,
        arbitrary: fc.record({ type: fc.constantFrom('gp2', 'gp3'), size: fc.constantFrom('50Gi', '80Gi') }),
      },
      { weight: 10, arbitrary: fc.constant({ type: 'gp3', size: '50Gi', encrypted: false }) },
      { weight: 1, arbitrary: fc.constant({ type: 'io1', size: '50Gi' }) },
    ),
    dataVolumes: fc.constantFrom(
      undefined,
      [{ name: 'data', type: 'gp3', size: '20Gi' }],
      [{ name: 'data', type: 'gp3', size: '30Gi' }],
    ),
    kubeletDataVolumeName: absent,
    zones: fc.constantFrom(zones.slice(0, 1), zones.slice(0, 2), zones),
    'machineControllerManager.machineDrainTimeout': duration,
    'machineControllerManager.machineHealthTimeout': duration,
    'machineControllerManager.machineCreationTimeout': duration,
    'machineControllerManager.machinePreserveTimeout': duration,
    'machineControllerManager.inPlaceUpdateTimeout': duration,
    'machineControllerManager.maxEvictRetries': fc.constantFrom(undefined, 5, 10),
    'machineControllerManager.nodeConditions': fc.constantFrom(undefined, ['ReadonlyFilesystem']),
    'machineControllerManager.autoPreserveFailedMachineMax': fc.constantFrom(undefined, 0, 1, 2),
    // Decides over hashes, with the version of Kubernetes.
    kubernetesVersion: absent,
    kubeletConfig: fc.constantFrom(
      undefined,
      { cpuManagerPolicy: 'static' },
      { kubeReserved: { cpu: '100m' } },
    ),
    nodeTemplate: fc.constantFrom(undefined, { capacity: { cpu: '2', gpu: '0', memory: '8Gi' } }),
    'clusterAutoscaler.scaleDownUtilizationThreshold': share,
    'clusterAutoscaler.scaleDownGpuUtilizationThreshold': share,
    'clusterAutoscaler.scaleDownUnneededTime': duration,
    'clusterAutoscaler.scaleDownUnreadyTime': duration,
    'clusterAutoscaler.maxNodeProvisionTime': duration,
    priority: fc.constantFrom(undefined, 1, 5),
    // The nodes themselves take part in updates in place.
    updateStrategy: fc.constantFrom(undefined, 'AutoRollingUpdate'),
  })

const names = ['batch', 'gpu', 'system'] as const

const infrastructureStatus = {
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'InfrastructureStatus',
  ec2: { keyName: `${namespace}-ssh-publickey` },
  iam: {
    instanceProfiles: [{ purpose: 'nodes', name: `${namespace}-nodes` }],
    roles: [{ purpose: 'nodes', arn: `arn:aws:iam::123456789012:role/${namespace}-nodes` }],
  },
  vpc: {
    id: 'vpc-0a1b2c3d4e5f60718',
    subnets: letters.map(letter => ({
      purpose: 'nodes',
      id: `subnet-0a1b2c3d4e5f6071${letter}`,
      zone: `${region}${letter}`,
    })),
    securityGroups: [{ purpose: 'nodes', id: 'sg-0a1b2c3d4e5f60718' }],
  },
}

/** A status that lacks the subnet of the last zone. */
const withoutZone = {
  ...infrastructureStatus,
  vpc: { ...infrastructureStatus.vpc, subnets: infrastructureStatus.vpc.subnets.slice(0, 2) },
}

const spec = arbitraryOf(schemaOf(kinds.Worker.schema.shape.spec), {
  type: fc.constant('aws'),
  class: absent,
  providerConfig: absent,
  infrastructureProviderStatus: rarely<object>(fc.constant(infrastructureStatus), withoutZone),
  region: fc.constant(region),
  'secretRef.name': fc.constant('cloudprovider'),
  'secretRef.namespace': fc.constant(namespace),
  sshPublicKey: absent,
  pools: fc
    .tuple(...names.map(name => fc.option(poolOf(name), { nil: undefined, freq: 3 })))
    .map(pools => pools.filter(pool => pool !== undefined)),
})

const versions = ['1.33.3', '1.33.7', '1.34.1'] as const

/** The pools as gardenlet writes them. The name of the node agent's Secret contains the data that roll machines. */
const poolsIn = ({ spec, version }: Configuration): readonly WorkerPool[] =>
  (spec.pools as unknown as readonly WorkerPool[]).map(pool => {
    const { name, machineType, machineImage, volume } = pool
    const data = JSON.stringify([machineType, machineImage, volume, String(version).split('.')[1]])
    const hash = createHash('sha256').update(data).digest('hex').slice(0, 8)
    return {
      ...pool,
      kubernetesVersion: String(version),
      nodeAgentSecretName: `gardener-node-agent-${name}-${hash}`,
    }
  })

const profileWithout = (version: string) => {
  const { providerConfig } = cloudProfile.spec
  const [{ name = '', versions: known = [] } = {}] = providerConfig.machineImages
  const machineImages = [{ name, versions: known.filter(image => image.version !== version) }]
  return {
    ...cloudProfile,
    spec: { ...cloudProfile.spec, providerConfig: { ...providerConfig, machineImages } },
  }
}

export const awsWorker: WalkSpace = {
  name: 'aws/worker',
  load: async () => {
    const { definition } = await import('../../../../functions/aws/worker/function.ts')
    return {
      definition,
      shoots: fc.constant(
        fc.record({ spec, version: fc.constantFrom(...versions) }) as fc.Arbitrary<Configuration>,
      ),
      // Gardener requires a pool. A shoot without workers has no Worker.
      admission: (_, { spec }) => (Object(spec.pools).length === 0 ? 'impossible' : undefined),
      objects: configuration => [
        ...shootObjects({
          namespace,
          cloudProfile,
          shoot: {
            metadata: { name: 'pools', uid: '5f0b6f0e-0000-4000-8000-0d8f41c6a7b2' },
            spec: {
              region,
              kubernetes: { version: configuration.version },
              networking: { ipFamilies: ['IPv4'] },
              provider: { type: 'aws', workers: [] },
            },
            status: { technicalID: namespace },
          },
          secrets: {
            cloudprovider: {
              accessKeyID: 'AKIAEXAMPLE000000001',
              secretAccessKey: 'not-a-real-secret-access-key',
            },
            ...Object.fromEntries(
              names.map(name => [`gardener-node-init-${name}`, { cloud_config: `#!/bin/bash\n# ${name}\n` }]),
            ),
          },
        }),
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'machine-controller-manager', namespace },
          spec: { replicas: 1, selector: {}, template: {} },
        },
        {
          apiVersion: 'extensions.gardener.cloud/v1alpha1',
          kind: 'Worker',
          metadata: { name: 'pools', namespace },
          spec: { ...configuration.spec, pools: poolsIn(configuration) },
        },
      ],
      troubles: {
        'a Secret without user data': { objects: withoutKey('gardener-node-init-system', 'cloud_config') },
        'a Secret without credentials': { objects: withoutKey('cloudprovider', 'secretAccessKey') },
        'an image that the CloudProfile lost': {
          objects: objects =>
            objects.map(object =>
              object.kind === 'Cluster' && isRecord(object.spec)
                ? { ...object, spec: { ...object.spec, cloudProfile: profileWithout('1877.3.0') } }
                : object,
            ),
        },
      },
    }
  },
}
