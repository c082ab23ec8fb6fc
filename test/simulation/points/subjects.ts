import type { DesiredExtensionObject } from '../../../sandbox/gardenlet/gardenlet.ts'
import type { WorldBackup } from '../../../sandbox/simulation/simulation.ts'
import { type KindName, kinds } from '../../../shared/contract/kinds.ts'
import { withAskingApiServers } from './asking-api-servers.ts'
import type { BaseWorlds, CloudName } from './base-worlds.ts'

/** An object of a function, and its life. */
export interface Subject {
  /** The name of the function. */
  readonly name: string
  readonly kind: KindName
  readonly cloud: CloudName
  /** The state of the shoot around it. In `after`, it is deleted first. */
  readonly base: 'before' | 'after'
  /** Returns the desired object, from that of the complete shoot. */
  readonly of: (complete: BaseWorlds['complete']) => DesiredExtensionObject
  /** A change of its spec that means work. */
  readonly change?: (spec: Spec) => Spec
  /** Changes of the Cluster before a reconciliation, by phase. */
  readonly clusters: Readonly<Record<string, object>>
  /** Changes the objects of others before its life. */
  readonly others?: (objects: WorldBackup['first']) => WorldBackup['first']
  readonly canMove: boolean
  readonly canBeForced: boolean
}

export type Spec = DesiredExtensionObject['spec']

interface SubjectOptions
  extends Partial<Pick<Subject, 'base' | 'change' | 'others' | 'canMove' | 'canBeForced'>> {
  readonly type: string
  readonly name?: RegExp
  /** Changes the object of the complete shoot. */
  readonly made?: (desired: DesiredExtensionObject) => DesiredExtensionObject
  readonly canHibernate?: boolean
  /** It has CAs. */
  readonly canRotate?: boolean
  readonly clusters?: Readonly<Record<string, object>>
}

const subject = (
  name: string,
  cloud: CloudName,
  kind: KindName,
  {
    type,
    name: pattern = /(?:)/,
    made = one => one,
    canHibernate = false,
    canRotate = false,
    clusters,
    ...rest
  }: SubjectOptions,
): Subject => ({
  name,
  kind,
  cloud,
  base: 'before',
  canMove: true,
  canBeForced: kinds[kind].resource.namespaced && kind !== 'Bastion',
  ...rest,
  clusters: { ...clusters, ...(canHibernate && sleeping), ...(canRotate && rotating) },
  of: ({ objects }) => {
    const { resource } = kinds[kind]
    const found = [...(objects.get(`${resource.plural}.${resource.group}`) ?? [])]
      .map(([, { object }]) => object as typeof object & { readonly spec: Spec })
      .find(
        one =>
          one.spec.type === type &&
          pattern.test(one.metadata.name) &&
          !`${one.metadata.namespace ?? one.metadata.name}`.match(/^shoot--garden--\w+h(?:$|--)/),
      )
    if (found === undefined) throw new TypeError(`the complete shoot has no ${kind} of type ${type}`)
    const { metadata, spec } = found
    const { name: own, namespace, labels } = metadata
    return made({
      kind,
      key: { name: own, ...(namespace !== undefined && { namespace }) },
      ...(labels && { labels }),
      spec,
    })
  },
})

const sleeping: Readonly<Record<string, object>> = {
  hibernate: { spec: { shoot: { spec: { hibernation: { enabled: true } } } } },
  wake: { spec: { shoot: { spec: { hibernation: { enabled: false } } } } },
}

const rotating: Readonly<Record<string, object>> = {
  rotate: {
    spec: {
      shoot: {
        status: {
          credentials: {
            rotation: {
              certificateAuthorities: { lastInitiationTime: '2026-01-01T00:00:00Z', phase: 'Preparing' },
            },
          },
        },
      },
    },
  },
}

const config = (provider: string, kind: string, fields: object) => ({
  providerConfig: { apiVersion: `${provider}.gardener.cloud/v1alpha1`, kind, ...fields },
})

const otherConfig = (name: string, type: string) => (desired: DesiredExtensionObject) => ({
  ...desired,
  key: { ...desired.key, name: `gardener-node-agent-${name}-init` },
  spec: { ...desired.spec, type },
})
const moreFiles = (spec: Spec): Spec => ({
  ...spec,
  files: [{ path: '/etc/more', permissions: 0o644, content: { inline: { encoding: '', data: 'more' } } }],
})
const otherAddress = (spec: Spec): Spec => ({ ...spec, values: ['203.0.113.99'] })
const otherIngress = (spec: Spec): Spec => ({ ...spec, ingress: [{ ipBlock: { cidr: '198.51.100.64/28' } }] })
const morePools = (spec: Spec): Spec => ({
  ...spec,
  pools: (spec.pools as readonly Spec[]).map(pool => ({
    ...pool,
    minimum: 3,
    maximum: 3,
    labels: { example: 'label' },
  })),
})
const ofType = (type: string) => (desired: DesiredExtensionObject) => ({
  ...desired,
  key: { ...desired.key, name: type },
  spec: { ...desired.spec, type },
})
/** Replaces all machines. */
const otherNodes = (spec: Spec): Spec => ({
  ...spec,
  pools: (spec.pools as readonly Spec[]).map(pool => ({
    ...pool,
    nodeAgentSecretName: `${pool.nodeAgentSecretName}-2`,
  })),
})
/** ssh-ed25519 …, another key. */
const otherKey =
  'c3NoLWVkMjU1MTkgQUFBQUMzTnphQzFsWkRJMU5URTVBQUFBSUpVV0VFR1RaQnhnNHpQV3lBTzB6S2ZOTzBCa1E3eVRGTm82V3lRcFhMdGQgZ2FyZGVuZXJAdGVzdA=='
const otherBucket = (desired: DesiredExtensionObject): DesiredExtensionObject => ({
  ...desired,
  key: { name: 'other-backups' },
})

/** Quick ones first. */
export const subjects: readonly Subject[] = [
  subject('aws-dnsrecord', 'aws', 'DNSRecord', {
    type: 'aws-route53',
    name: /external$/,
    change: otherAddress,
  }),
  subject('openstack-dnsrecord', 'openstack', 'DNSRecord', {
    type: 'openstack-designate',
    name: /external$/,
    change: otherAddress,
  }),
  subject('local-dnsrecord', 'local', 'DNSRecord', {
    type: 'local',
    name: /external$/,
    change: spec => ({ ...spec, values: ['172.18.255.77'] }),
  }),
  subject('aws-backupentry', 'aws', 'BackupEntry', { type: 'aws' }),
  subject('openstack-backupentry', 'openstack', 'BackupEntry', { type: 'openstack' }),
  subject('local-backupentry', 'local', 'BackupEntry', { type: 'local' }),
  subject('gardenlinux-operatingsystemconfig', 'local', 'OperatingSystemConfig', {
    type: 'gardenlinux',
    name: /init$/,
    change: moreFiles,
  }),
  subject('local-operatingsystemconfig', 'local', 'OperatingSystemConfig', {
    type: 'local',
    name: /init$/,
    change: moreFiles,
  }),
  subject('ubuntu-operatingsystemconfig', 'local', 'OperatingSystemConfig', {
    type: 'local',
    name: /init$/,
    made: otherConfig('u', 'ubuntu'),
    change: moreFiles,
  }),
  subject('suse-chost-operatingsystemconfig', 'local', 'OperatingSystemConfig', {
    type: 'local',
    name: /init$/,
    made: otherConfig('s', 'suse-chost'),
    change: moreFiles,
  }),
  subject('aws-backupbucket', 'aws', 'BackupBucket', {
    type: 'aws',
    made: otherBucket,
    canMove: false,
    change: spec => ({
      ...spec,
      ...config('aws.provider.extensions', 'BackupBucketConfig', {
        immutability: { retentionType: 'bucket', retentionPeriod: '24h', mode: 'governance' },
      }),
    }),
  }),
  subject('openstack-backupbucket', 'openstack', 'BackupBucket', {
    type: 'openstack',
    made: otherBucket,
    canMove: false,
  }),
  subject('local-backupbucket', 'local', 'BackupBucket', {
    type: 'local',
    made: otherBucket,
    canMove: false,
  }),
  subject('calico-network', 'local', 'Network', {
    type: 'calico',
    canHibernate: true,
    change: spec => ({
      ...spec,
      ...config('calico.networking.extensions', 'NetworkConfig', { backend: 'none' }),
    }),
  }),
  subject('gvisor-containerruntime', 'local', 'ContainerRuntime', {
    type: 'gvisor',
    change: spec => ({
      ...spec,
      ...config('gvisor.runtime.extensions.config', 'GVisorConfiguration', {
        configFlags: { 'net-raw': 'true' },
      }),
    }),
  }),
  subject('local-extension-seed', 'local', 'Extension', { type: 'local-ext-seed', canHibernate: true }),
  subject('local-extension-shoot', 'local', 'Extension', { type: 'local-ext-shoot', canHibernate: true }),
  subject('local-extension-shoot-after-worker', 'local', 'Extension', {
    type: 'local-ext-shoot-after-worker',
    canHibernate: true,
  }),
  subject('oidc-extension', 'local', 'Extension', {
    type: 'local-ext-seed',
    made: ofType('shoot-oidc-service'),
    others: withAskingApiServers,
    canHibernate: true,
    canRotate: true,
  }),
  subject('local-infrastructure', 'local', 'Infrastructure', { type: 'local' }),
  subject('local-controlplane', 'local', 'ControlPlane', {
    type: 'local',
    base: 'after',
    canHibernate: true,
    canRotate: true,
  }),
  subject('local-bastion', 'local', 'Bastion', {
    type: 'local',
    base: 'after',
    canMove: false,
    change: otherIngress,
  }),
  subject('local-selfhostedshootexposure', 'local', 'SelfHostedShootExposure', {
    type: 'local',
    base: 'after',
    canMove: false,
    change: spec => ({ ...spec, port: 8443 }),
  }),
  subject('local-worker', 'local', 'Worker', {
    type: 'local',
    base: 'after',
    canHibernate: true,
    change: otherNodes,
  }),
  subject('openstack-bastion', 'openstack', 'Bastion', {
    type: 'openstack',
    base: 'after',
    canMove: false,
    change: otherIngress,
  }),
  subject('openstack-controlplane', 'openstack', 'ControlPlane', {
    type: 'openstack',
    base: 'after',
    canHibernate: true,
    canRotate: true,
    change: spec => ({
      ...spec,
      ...config('openstack.provider.extensions', 'ControlPlaneConfig', {
        loadBalancerProvider: 'amphora',
        storage: { csiManila: { enabled: false } },
      }),
    }),
  }),
  subject('openstack-worker', 'openstack', 'Worker', {
    type: 'openstack',
    base: 'after',
    canHibernate: true,
    change: morePools,
  }),
  subject('openstack-infrastructure', 'openstack', 'Infrastructure', {
    type: 'openstack',
    clusters: {
      change: {
        spec: {
          cloudProfile: { spec: { providerConfig: { dnsServers: ['10.10.10.12'] } } },
        },
      },
    },
    change: spec => ({ ...spec, sshPublicKey: otherKey }),
  }),
  subject('aws-bastion', 'aws', 'Bastion', {
    type: 'aws',
    base: 'after',
    canMove: false,
    change: otherIngress,
  }),
  subject('aws-controlplane', 'aws', 'ControlPlane', {
    type: 'aws',
    base: 'after',
    canHibernate: true,
    canRotate: true,
    change: spec => ({
      ...spec,
      ...config('aws.provider.extensions', 'ControlPlaneConfig', { storage: { managedDefaultClass: false } }),
    }),
  }),
  subject('aws-worker', 'aws', 'Worker', {
    type: 'aws',
    base: 'after',
    canHibernate: true,
    change: morePools,
  }),
  subject('aws-infrastructure', 'aws', 'Infrastructure', {
    type: 'aws',
    clusters: {
      change: {
        spec: {
          cloudProfile: {
            spec: {
              regions: [{ name: 'eu-west-1', zones: [{ name: 'eu-west-1a' }, { name: 'eu-west-1b' }] }],
            },
          },
        },
      },
    },
    change: spec => {
      const { networks, ...rest } = Object(spec.providerConfig)
      const more = {
        name: 'eu-west-1b',
        workers: '10.250.32.0/19',
        public: '10.250.100.0/22',
        internal: '10.250.116.0/22',
      }
      return {
        ...spec,
        providerConfig: { ...rest, networks: { ...networks, zones: [...networks.zones, more] } },
      }
    },
  }),
]
