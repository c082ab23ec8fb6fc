import { apiVersion, labels } from '../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** The shoot of a test. */
export interface ShootObjectsOptions {
  /** The namespace of the shoot in the seed. */
  readonly namespace: string
  /** The Shoot in the Cluster. */
  readonly shoot?: object
  /** The CloudProfile in the Cluster. */
  readonly cloudProfile?: object
  /** Data of Secrets in the namespace, in plain text: `{ cloudprovider: { token: 'planted' } }`. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Returns the objects of a shoot in its seed: the Namespace, the Cluster, and Secrets.
 *
 * @example
 * const objects = shootObjects({ namespace: 'shoot--garden--rose', secrets: { cloudprovider: { token: 'planted' } } })
 * const seed = createSteppedSeed({ definition, objects })
 */
export const shootObjects = ({
  namespace,
  shoot = {},
  cloudProfile = {},
  secrets = {},
}: ShootObjectsOptions): readonly KubernetesObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
  },
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile, seed: {}, shoot },
  },
  ...Object.entries(secrets).map(([name, data]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    data: Object.fromEntries(
      Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    ),
  })),
]
