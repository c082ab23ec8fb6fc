import { type Subject, subjects } from '../../points/subjects.ts'
import { type SpecChange, workerChanges } from './worker-changes.ts'

/** The part of the Cluster's shoot that lives change. */
export interface ShootInput {
  readonly sleeps: boolean
  readonly overlay: boolean
  readonly version: string
}

export const firstInput: ShootInput = { sleeps: false, overlay: true, version: '1.33.3' }

export type InputChange = readonly [name: string, change: (input: ShootInput) => ShootInput]

/** A subject whose inputs change while its function works. */
export interface SeedCast {
  readonly subject: Subject
  /** Number of its lives for each one of others. */
  readonly often: number
  readonly changes: readonly SpecChange[]
  readonly inputs: readonly InputChange[]
}

const sleep: InputChange = ['sleep', input => ({ ...input, sleeps: !input.sleeps })]
const overlay: InputChange = ['overlay', input => ({ ...input, overlay: !input.overlay })]
const version: InputChange = [
  'version',
  input => ({ ...input, version: input.version === '1.33.3' ? '1.33.4' : '1.33.3' }),
]

/** Its API server needs webhooks. */
const others = /^oidc-extension$/

const oftens: Readonly<Record<string, number>> = {
  'aws-worker': 6,
  'local-worker': 2,
  'aws-controlplane': 3,
  'aws-dnsrecord': 3,
}

/** A patch retains the other fields of a provider's config. */
const configured = (fields: object): SpecChange => [
  'config',
  spec => ({ ...spec, providerConfig: { ...Object(spec.providerConfig), ...fields } }),
]
const ofControlPlane = [true, false].flatMap(is => [
  configured({ storage: { managedDefaultClass: is } }),
  configured({ loadBalancerController: { enabled: is } }),
])

const castOf = (subject: Subject): SeedCast => {
  const { name, kind, clusters, change } = subject
  return {
    subject,
    often: oftens[name] ?? 1,
    changes:
      kind === 'Worker'
        ? workerChanges(subject.cloud)
        : name === 'aws-controlplane'
          ? ofControlPlane
          : change && name !== 'aws-infrastructure'
            ? [['change', change]]
            : [],
    inputs: [
      ...(clusters.hibernate === undefined ? [] : [sleep, sleep]),
      ...(name === 'aws-controlplane' ? [overlay, overlay] : []),
      ...(kind === 'ControlPlane' || kind === 'Extension' ? [version] : []),
    ],
  }
}

export const seedCasts: readonly SeedCast[] = subjects.filter(({ name }) => !others.test(name)).map(castOf)

/** Returns the patch of the Cluster. */
export const clusterPatch = ({ sleeps, overlay: isOverlay, version: kubernetes }: ShootInput): object => ({
  spec: {
    shoot: {
      spec: {
        hibernation: { enabled: sleeps },
        kubernetes: { version: kubernetes },
        networking: {
          providerConfig: {
            apiVersion: 'calico.networking.extensions.gardener.cloud/v1alpha1',
            kind: 'NetworkConfig',
            overlay: { enabled: isOverlay },
          },
        },
      },
    },
  },
})
