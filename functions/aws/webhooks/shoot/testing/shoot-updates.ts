import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import { base, pool, type ShootUpdate } from './updated-shoot.ts'

const version = 'spec.kubernetes.version'
const config = (fields: object) => ({
  [`${pool}.providerConfig`]: { apiVersion, kind: 'WorkerConfig', ...fields },
})
const operation = (value: string) => ({ 'metadata.annotations': { 'gardener.cloud/operation': value } })
const rotation = 'status.credentials.rotation'
const [earlier, now] = ['2026-01-02T03:04:05Z', '2026-11-21T12:00:00Z']
const rotated = (authorities: object | undefined, key: object | undefined) => ({
  [rotation]: {
    ...(authorities && { certificateAuthorities: authorities }),
    ...(key && { serviceAccountKey: key }),
  },
})
const done = { phase: 'Completed', lastInitiationTime: earlier }
const started = { phase: 'Preparing', lastInitiationTime: now }
const later = { ...started, pendingWorkersRollouts: [{ name: 'pool1', lastInitiationTime: earlier }] }
const waiting = { ...later, phase: 'WaitingForWorkersRollout' }

const volumes = (...sizes: readonly string[]) => ({
  [`${pool}.dataVolumes`]: sizes.map((size, index) => ({ name: `v${index}`, size, type: 'gp3' })),
})
const at134 = { [version]: '1.34.1' }
const inPlace = { [`${pool}.updateStrategy`]: 'AutoInPlaceUpdate' }
const manual = { [`${pool}.updateStrategy`]: 'ManualInPlaceUpdate' }
const reserved = (fields: object) => ({ 'spec.kubernetes.kubelet': { kubeReserved: fields } })
const rolls = (why: string) => [`rolls 1 to 3 nodes of pool pool1: ${why}`]
const dns = { 'spec.systemComponents.nodeLocalDNS.enabled': true }
const ipvs = { 'spec.kubernetes.kubeProxy': { enabled: true, mode: 'IPVS' } }
const fourth = { [`${pool}.machine.image.version`]: '1877.4.0' }
const larger = { [`${pool}.machine.type`]: 'm5.xlarge' }
const larger1 = 'machine type changed from m5.large to m5.xlarge'

/** Every field that decides about nodes, and others. */
export const shootUpdates: readonly ShootUpdate[] = [
  { name: 'machine type', to: larger, lines: rolls(larger1) },
  {
    name: 'image version',
    to: fourth,
    lines: rolls('version of the machine image changed from 1877.3.0 to 1877.4.0'),
  },
  {
    name: 'volume size',
    to: { [`${pool}.volume.size`]: '60Gi' },
    lines: rolls('root volume: size changed from 50Gi to 60Gi'),
  },
  {
    name: 'volume type',
    to: { [`${pool}.volume.type`]: 'gp2' },
    lines: rolls('root volume: type changed from gp3 to gp2'),
  },
  {
    name: 'encryption',
    to: { [`${pool}.volume.encrypted`]: true },
    lines: rolls('root volume: encrypted set to true'),
  },
  {
    name: 'a data volume',
    to: volumes('10Gi'),
    lines: rolls('data volume v0: size set to 10Gi, data volume v0: type set to gp3'),
  },
  {
    name: 'a larger data volume',
    from: volumes('10Gi', '20Gi'),
    to: volumes('10Gi', '30Gi'),
    lines: rolls('data volume v1: size changed from 20Gi to 30Gi'),
  },
  {
    name: 'another order of data volumes',
    from: volumes('10Gi', '20Gi'),
    to: {
      [`${pool}.dataVolumes`]: [
        { name: 'v1', size: '20Gi', type: 'gp3' },
        { name: 'v0', size: '10Gi', type: 'gp3' },
      ],
    },
    lines: rolls('the order of its volumes or interfaces changed'),
  },
  {
    name: 'another name of a data volume',
    from: volumes('10Gi'),
    to: { [`${pool}.dataVolumes`]: [{ name: 'other', size: '10Gi', type: 'gp3' }] },
    lines: [],
  },
  {
    name: 'no data volume',
    from: volumes('10Gi'),
    to: { [`${pool}.dataVolumes`]: undefined },
    lines: rolls('data volume v0: size removed (was 10Gi), data volume v0: type removed (was gp3)'),
  },
  {
    name: 'container runtime',
    to: { [`${pool}.cri`]: { name: 'containerd' } },
    lines: rolls('container runtime set to containerd'),
  },
  {
    name: 'minor version',
    to: at134,
    lines: rolls('minor version of Kubernetes changed from 1.33 to 1.34'),
  },
  {
    name: 'minor version with a WorkerConfig',
    from: config({ volume: { iops: 3000 } }),
    to: at134,
    lines: rolls('minor version of Kubernetes changed from 1.33 to 1.34'),
  },
  { name: 'patch version', to: { [version]: '1.33.4' }, lines: [] },
  {
    name: 'minor version of the control plane alone',
    from: { [`${pool}.kubernetes`]: { version: '1.33.3' } },
    to: at134,
    lines: [],
  },
  {
    name: 'minor version of the pool alone',
    from: { ...at134, [`${pool}.kubernetes`]: { version: '1.33.3' } },
    to: { [`${pool}.kubernetes.version`]: '1.34.1' },
    lines: rolls('minor version of Kubernetes changed from 1.33 to 1.34'),
  },
  { name: 'kubeReserved', to: reserved({ cpu: '100m' }), lines: rolls('kubeReserved.cpu set to 100m') },
  {
    name: 'evictionHard',
    from: { 'spec.kubernetes.kubelet': { evictionHard: { memoryAvailable: '100Mi' } } },
    to: { 'spec.kubernetes.kubelet': { evictionHard: { memoryAvailable: '5%' } } },
    lines: rolls('evictionHard.memoryAvailable changed from 100Mi to 5%'),
  },
  {
    name: 'cpuManagerPolicy',
    to: { 'spec.kubernetes.kubelet': { cpuManagerPolicy: 'static' } },
    lines: rolls('cpuManagerPolicy set to static'),
  },
  { name: 'maxPods', to: { 'spec.kubernetes.kubelet': { maxPods: 50 } }, lines: [] },
  {
    name: 'kubelet of the shoot, of a pool with its own',
    from: { [`${pool}.kubernetes`]: { kubelet: { maxPods: 50 } } },
    to: reserved({ cpu: '100m' }),
    lines: [],
  },
  {
    name: 'the same quantity',
    from: reserved({ memory: '1024Mi' }),
    to: reserved({ memory: '1Gi' }),
    lines: [],
  },
  { name: 'node-local DNS', to: dns, lines: rolls('node-local DNS or the mode of kube-proxy changed') },
  { name: 'node-local DNS from 1.34 on', from: at134, to: dns, lines: [] },
  {
    name: 'node-local DNS with IPVS',
    from: { ...at134, ...ipvs },
    to: dns,
    lines: rolls('node-local DNS or the mode of kube-proxy changed'),
  },
  {
    name: 'IPVS with node-local DNS',
    from: { ...at134, ...dns },
    to: ipvs,
    lines: rolls('node-local DNS or the mode of kube-proxy changed'),
  },
  { name: 'IPVS', from: at134, to: ipvs, lines: [] },
  {
    name: 'iops before 1.34',
    from: config({ volume: { iops: 3000 } }),
    to: config({ volume: { iops: 4000 } }),
    lines: rolls('root volume: iops changed from 3000 to 4000'),
  },
  {
    name: 'a description before 1.34',
    from: config({ networkInterfaces: [{ description: 'a' }] }),
    to: config({ networkInterfaces: [{ description: 'b' }] }),
    lines: rolls('providerConfig changed'),
  },
  {
    name: 'virtual capacity',
    from: config({}),
    to: config({ nodeTemplate: { virtualCapacity: { 'example.com/x': '1' } } }),
    lines: [],
  },
  {
    name: 'a description from 1.34 on',
    from: { ...at134, ...config({ networkInterfaces: [{ description: 'a' }] }) },
    to: config({ networkInterfaces: [{ description: 'b' }] }),
    lines: [],
  },
  {
    name: 'SEV-SNP from 1.34 on',
    from: { ...at134, ...config({ cpuOptions: { coreCount: 1, threadsPerCore: 1 } }) },
    to: config({ cpuOptions: { coreCount: 1, threadsPerCore: 1, amdSevSnp: 'enabled' } }),
    lines: [],
  },
  {
    name: 'an empty WorkerConfig from 1.34 on',
    from: at134,
    to: config({}),
    lines: [],
  },
  {
    name: 'capacity',
    from: at134,
    to: config({ nodeTemplate: { capacity: { 'nvidia.com/gpu': '1' } } }),
    lines: rolls('node template: capacity of nvidia.com/gpu set to nvidia.com/gpu=1'),
  },
  {
    name: 'metadata options',
    from: at134,
    to: config({ instanceMetadataOptions: { httpTokens: 'optional' } }),
    lines: rolls('instanceMetadataOptions: httpTokens set to optional'),
  },
  {
    name: 'placement',
    from: at134,
    to: config({ placement: { tenancy: 'dedicated' } }),
    lines: rolls('placement: tenancy set to dedicated'),
  },
  {
    name: 'network interfaces',
    from: { ...at134, ...config({ networkInterfaces: [{}] }) },
    to: config({ networkInterfaces: [{ type: 'efa' }] }),
    lines: rolls('network interface 0: type changed from interface to efa'),
  },
  {
    name: 'instance profile',
    from: at134,
    to: config({ iamInstanceProfile: { name: 'own' } }),
    lines: rolls('instance profile: name set to own'),
  },
  {
    name: 'market',
    from: at134,
    to: config({ instanceMarketOptions: { marketType: 'spot' } }),
    lines: rolls('instanceMarketOptions: marketType set to spot'),
  },
  {
    name: 'reservation',
    from: at134,
    to: config({ capacityReservation: { capacityReservationPreference: 'open' } }),
    lines: rolls('capacityReservation: capacityReservationPreference set to open'),
  },
  { name: 'labels', to: { [`${pool}.labels`]: { a: 'b' } }, lines: [] },
  { name: 'taints', to: { [`${pool}.taints`]: [{ key: 'a', effect: 'NoSchedule' }] }, lines: [] },
  { name: 'annotations', to: { [`${pool}.annotations`]: { a: 'b' } }, lines: [] },
  { name: 'limits', to: { [`${pool}.minimum`]: 2, [`${pool}.maximum`]: 9 }, lines: [] },
  { name: 'surge', to: { [`${pool}.maxSurge`]: 2 }, lines: [] },
  {
    name: 'machine controller',
    to: { [`${pool}.machineControllerManager`]: { machineDrainTimeout: '1h0m0s' } },
    lines: [],
  },
  {
    name: 'a new pool',
    to: { 'spec.provider.workers.1': { ...poolNamed('pool2'), minimum: 2, maximum: 2 } },
    lines: [],
  },
  {
    name: 'a removed pool',
    from: { 'spec.provider.workers.1': poolNamed('pool2') },
    to: { 'spec.provider.workers': [poolNamed('pool1')] },
    lines: ['deletes 1 to 3 nodes: pool pool2 is removed'],
  },
  {
    name: 'another name of a pool',
    to: { [`${pool}.name`]: 'pool2' },
    lines: ['deletes 1 to 3 nodes: pool pool1 is removed'],
  },
  {
    name: 'another order of pools',
    from: { 'spec.provider.workers.1': poolNamed('pool2') },
    to: { 'spec.provider.workers': [poolNamed('pool2'), poolNamed('pool1')] },
    lines: [],
  },
  {
    name: 'a lower maximum and another type',
    from: { [`${pool}.minimum`]: 2 },
    to: { ...larger, [`${pool}.minimum`]: 2, [`${pool}.maximum`]: 2 },
    lines: [`rolls 2 nodes of pool pool1: ${larger1}`],
  },
  {
    name: 'hibernation',
    to: { ...larger, 'spec.hibernation.enabled': true },
    lines: ['deletes 1 to 3 nodes without a drain: hibernation is enabled'],
  },
  {
    name: 'a wake-up with another type',
    from: { 'spec.hibernation.enabled': true },
    to: { ...larger, 'spec.hibernation.enabled': false },
    lines: [],
  },
  { name: 'another type in hibernation', from: { 'spec.hibernation.enabled': true }, to: larger, lines: [] },
  {
    name: 'a rotation of the credentials',
    from: rotated(done, done),
    to: operation('rotate-credentials-start'),
    gardenlet: rotated(started, started),
    lines: rolls('rotation of the certificate authorities, rotation of the service account key'),
  },
  {
    name: 'the first rotation of the authorities',
    to: operation('rotate-ca-start'),
    gardenlet: rotated(started, undefined),
    lines: rolls('rotation of the certificate authorities'),
  },
  {
    name: 'a rotation of the service account key with another operation',
    from: rotated(done, done),
    to: operation('reconcile;rotate-serviceaccount-key-start'),
    gardenlet: rotated(done, started),
    lines: rolls('rotation of the service account key'),
  },
  {
    name: 'a rotation without workers',
    from: rotated(done, done),
    to: operation('rotate-credentials-start-without-workers-rollout'),
    gardenlet: rotated(later, later),
    lines: [],
  },
  {
    name: 'the rollout of a rotation',
    from: rotated(waiting, done),
    to: operation('rotate-rollout-workers=pool1'),
    gardenlet: rotated({ ...waiting, pendingWorkersRollouts: [] }, done),
    lines: rolls('rotation of the certificate authorities'),
  },
  {
    name: 'the rollout of another pool',
    from: rotated(waiting, done),
    to: operation('rotate-rollout-workers=other'),
    lines: [],
  },
  {
    name: 'the completion of a rotation',
    from: rotated({ ...started, phase: 'Prepared' }, done),
    to: operation('rotate-ca-complete'),
    lines: [],
  },
  {
    name: 'a requested rollout',
    to: operation('rollout-workers=pool1'),
    isByGardenlet: true,
    lines: rolls('a rollout is requested'),
  },
  { name: 'a rotation of the SSH key', to: operation('rotate-ssh-keypair'), lines: [] },
  {
    name: 'an operation that is requested already',
    from: operation('rotate-ca-start'),
    to: { ...operation('rotate-ca-start'), [`${pool}.labels`]: { a: 'b' } },
    lines: [],
  },
  {
    name: 'an image in place',
    from: inPlace,
    to: fourth,
    lines: [
      'updates 1 to 3 nodes of pool pool1 in place: version of the machine image changed from 1877.3.0 to 1877.4.0',
    ],
  },
  {
    name: 'a minor version in place, manually',
    from: manual,
    to: at134,
    lines: [
      'updates 1 to 3 nodes of pool pool1 in place once they are selected: minor version of Kubernetes changed from 1.33 to 1.34',
    ],
  },
  {
    name: 'the kubelet in place',
    from: inPlace,
    to: reserved({ pid: '10k' }),
    lines: ['updates 1 to 3 nodes of pool pool1 in place: kubeReserved.pid set to 10k'],
  },
  { name: 'a patch version in place', from: inPlace, to: { [version]: '1.33.4' }, lines: [] },
  {
    name: 'a pool without nodes',
    from: { [`${pool}.minimum`]: 0, [`${pool}.maximum`]: 0 },
    to: larger,
    lines: [],
  },
  { name: 'purpose', to: { 'spec.purpose': 'production' }, lines: [] },
  {
    name: 'SSH access',
    to: { 'spec.provider.workersSettings': { sshAccess: { enabled: false } } },
    lines: [],
  },
  { name: 'nothing', to: {}, lines: [] },
]

function poolNamed(name: string): object {
  const workers = Object(base().spec).provider.workers as readonly object[]
  return { ...workers[0], name }
}
