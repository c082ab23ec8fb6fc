import type { GardenShoot } from '../../../sandbox/gardenlet/gardenlet.ts'
import { landscape, wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import { shootObjects } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** A shoot and the account of its user. Both shoots have the same name, and the same records in zones of their own. */
export interface Home {
  /** 12 digits. */
  readonly account: string
  readonly namespace: string
  /** The name of the shoot and of its Infrastructure. */
  readonly name: string
  readonly keys: { readonly accessKeyID: string; readonly secretAccessKey: string }
  /** Hosted zones of `example.com` and `rose.example.com`. */
  readonly zones: readonly [string, string]
}

export const region = 'eu-west-1'

const homeOf = (account: string, landscapeName: string): Home => ({
  account,
  namespace: `shoot--${landscapeName}--rose`,
  name: 'rose',
  keys: {
    accessKeyID: `AKIAEXAMPLE${landscapeName.toUpperCase().padEnd(9, '0')}`,
    secretAccessKey: `not-a-real-secret-access-key-of-${landscapeName}`.padEnd(40, '0'),
  },
  zones: [`Z${landscapeName.toUpperCase()}EXAMPLE`, `Z${landscapeName.toUpperCase()}ROSE`],
})

/** Another key of the same account. */
export const secondKeys = ({ keys: { accessKeyID, secretAccessKey } }: Home): Home['keys'] => ({
  accessKeyID: `${accessKeyID.slice(0, -1)}2`,
  secretAccessKey,
})

/** The first one is in the default account, whose keys need no registration. */
export const homes = [homeOf('123456789012', 'garden'), homeOf('222222222222', 'lawn')] as const

export const zoneNames = ['example.com', 'rose.example.com'] as const

/** A hosted zone that no object names at first, of the shorter name. */
export const otherZone = ({ zones: [zone] }: Home): string => `${zone}OTHER`

/** A private zone with the longer name. In lists by id, it precedes the public one. */
export const privateZone = ({ zones: [, zone] }: Home): string => zone.replace('ROSE', 'PRIVATE')

/** The uid in the Cluster names the shoot in names of backups. */
export const uidOf = ({ account }: Home): string => `3e4f6c85-9d60-4d3e-b088-${account}`

const shootOf = (home: Home): GardenShoot => ({
  ...wholeShoot,
  metadata: { ...wholeShoot.metadata, name: home.name, uid: uidOf(home) },
  status: { ...wholeShoot.status, technicalID: home.namespace },
})

const zones = ['a', 'b'].map(letter => ({ name: `${region}${letter}` }))
const profile = landscape.cloudProfile as {
  readonly spec: { readonly bastion: { readonly machineType: { readonly name: string } } }
}
/** The machine type of Bastions. */
export const machineType = profile.spec.bastion.machineType.name
const cloudProfile = { ...profile, spec: { ...profile.spec, regions: [{ name: region, zones }] } }

/** The Secret of the seed's own backups of a home. */
export const backupSecret = ({ namespace }: Home) => ({
  name: `backups-of-${namespace}`,
  namespace: 'garden',
})

/** The Secret of the backups of a home with a workload identity: gardenlet gives each client a token of its own. */
export const identitySecret = ({ namespace }: Home) => ({
  name: `identity-of-${namespace}`,
  namespace: 'garden',
})

const base64 = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  )

const identityOf = (home: Home): KubernetesObject => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: 'https://garden.example.com', sub: home.namespace, exp: 4_102_444_800 }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...identitySecret(home),
      labels: {
        'security.gardener.cloud/purpose': 'workload-identity-token-requestor',
        'workloadidentity.security.gardener.cloud/provider': 'aws',
      },
      annotations: {
        'workloadidentity.security.gardener.cloud/name': 'backups',
        'workloadidentity.security.gardener.cloud/namespace': 'garden-rose',
      },
    },
    data: base64({
      token: `${part({ alg: 'none' })}.${part(claims)}.`,
      roleARN: `arn:aws:iam::${home.account}:role/backups`,
      config: '{}',
    }),
  }
}

/** The objects that gardenlet and users write before a life. */
export const objectsOfHomes = (): readonly KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'garden' } },
  ...homes.flatMap(home => [
    ...shootObjects({
      namespace: home.namespace,
      cloudProfile,
      shoot: shootOf(home),
      secrets: { cloudprovider: home.keys, dns: home.keys },
    }),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: backupSecret(home),
      data: base64({ ...home.keys, region }),
    },
    identityOf(home),
  ]),
]
