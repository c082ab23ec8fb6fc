import type { KindName } from '../../shared/contract/kinds.ts'
import type { WorkerPool } from '../../shared/contract/objects.ts'
import type { ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { nodeAgentSecretNames } from '../../shared/worker/rolls/rolls.ts'
import type { GardenShoot, Landscape, SeedFacts, ShootWorkers } from './garden.ts'

export interface DesiredExtensionObject {
  readonly kind: KindName
  readonly key: ObjectKey
  readonly labels?: Readonly<Record<string, string>>
  /** Beside those of a request. */
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec: Readonly<Record<string, unknown>>
}

export const keyOf = ({ metadata, status }: GardenShoot): ObjectKey => ({
  name: metadata.name,
  namespace: status.technicalID,
})

/** The fields that Infrastructure, ControlPlane and Worker share. */
const cloudOf = ({ spec, status }: GardenShoot) => ({
  type: spec.provider.type,
  region: spec.region,
  secretRef: { name: 'cloudprovider', namespace: status.technicalID },
})

export const infrastructureOf = (
  shoot: GardenShoot,
  { sshPublicKey }: Landscape,
): DesiredExtensionObject => ({
  kind: 'Infrastructure',
  key: keyOf(shoot),
  spec: { ...cloudOf(shoot), sshPublicKey, providerConfig: shoot.spec.provider.infrastructureConfig },
})

/** `infrastructureProviderStatus`: the provider status of the Infrastructure. */
export const controlPlaneOf = (
  shoot: GardenShoot,
  infrastructureProviderStatus: unknown,
): DesiredExtensionObject => ({
  kind: 'ControlPlane',
  key: keyOf(shoot),
  spec: {
    ...cloudOf(shoot),
    providerConfig: shoot.spec.provider.controlPlaneConfig,
    infrastructureProviderStatus,
  },
})

/** The inputs for creating a Worker. They are not needed for its deletion. */
export interface WorkerInputs {
  readonly infrastructureProviderStatus?: unknown
  /** The Secrets with the user data of machines, by pool name. */
  readonly userData?: Readonly<Record<string, { readonly name: string }>>
}

export const workerOf = (
  shoot: GardenShoot,
  { sshPublicKey }: Landscape,
  { infrastructureProviderStatus, userData = {} }: WorkerInputs = {},
): DesiredExtensionObject => ({
  kind: 'Worker',
  key: keyOf(shoot),
  spec: {
    ...cloudOf(shoot),
    sshPublicKey,
    infrastructureProviderStatus,
    pools: shoot.spec.provider.workers.map(workers => poolOf(shoot, workers, userData[workers.name])),
  },
})

const poolOf = (
  shoot: GardenShoot,
  pool: ShootWorkers,
  userData: { readonly name: string } = { name: '' },
): WorkerPool => {
  const { machine, containerRuntimes: _, ...workers } = pool
  return {
    ...workers,
    machineType: machine.type,
    machineImage: machine.image,
    architecture: machine.architecture,
    kubernetesVersion: shoot.spec.kubernetes.version,
    nodeAgentSecretName: nodeAgentNameOf(shoot, pool),
    userDataSecretRef: { name: userData.name, key: 'cloud_config' },
    nodeTemplate: { capacity: { cpu: '2', gpu: '0', memory: '8Gi' } },
  }
}

/**
 * Returns the name of the Secret that the node agents of a pool read. Its OperatingSystemConfigs have this name as
 * prefix. Another name replaces the machines.
 */
export const nodeAgentNameOf = (shoot: GardenShoot, { name }: Pick<ShootWorkers, 'name'>): string => {
  const found = nodeAgentSecretNames(shoot).get(name)
  if (found === undefined) throw new Error(`the Shoot ${shoot.metadata.name} has no pool ${name}`)
  return found
}

/** The role of each of a shoot's three DNSRecords. */
export type RecordRole = 'internal' | 'external' | 'ingress'

export const recordOf = (
  shoot: GardenShoot,
  { dns }: Landscape,
  { address }: SeedFacts,
  role: RecordRole,
): DesiredExtensionObject => {
  const { name, namespace } = keyOf(shoot)
  const { domain } = shoot.spec.dns
  const names = {
    internal: `api.${name}.${dns.internalDomain}`,
    external: `api.${domain}`,
    ingress: `*.ingress.${domain}`,
  }
  return {
    kind: 'DNSRecord',
    key: { name: `${name}-${role}`, ...(namespace !== undefined && { namespace }) },
    labels: { role, 'gardener.cloud/role': 'controlplane' },
    spec: {
      type: dns.type,
      secretRef: { name: `dnsrecord-${name}-${role}`, namespace },
      name: names[role],
      recordType: 'A',
      values: [address],
      ttl: 120,
    },
  }
}

const backupOf = ({ type, region }: SeedFacts['backup'], secret: string) => ({
  type,
  region,
  secretRef: { name: secret, namespace: 'garden' },
})

export const bucketOf = (backup: SeedFacts['backup']): DesiredExtensionObject => ({
  kind: 'BackupBucket',
  key: { name: backup.bucketName },
  spec: backupOf(backup, `bucket-${backup.bucketName}`),
})

/** `prefix`: `source-` for the bucket of the old seed during a move. */
export const entryOf = (
  { metadata, status }: GardenShoot,
  backup: SeedFacts['backup'],
  prefix: '' | 'source-' = '',
): DesiredExtensionObject => {
  const name = `${prefix}${status.technicalID}--${metadata.uid}`
  return {
    kind: 'BackupEntry',
    key: { name },
    spec: { ...backupOf(backup, `entry-${name}`), bucketName: backup.bucketName },
  }
}
