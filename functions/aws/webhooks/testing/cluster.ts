import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

export const namespace = 'shoot--foo--bar'

export interface ShootParts {
  readonly annotations?: Readonly<Record<string, string>>
  /** Overrides fields of the default spec. */
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

export const infrastructureConfig = {
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'InfrastructureConfig',
  networks: { vpc: { cidr: '10.250.0.0/16' }, zones: [] },
}

/** The Cluster of a small shoot. */
export const clusterOf = ({
  annotations = {},
  spec = {},
  status = {},
}: ShootParts = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: namespace },
  spec: {
    cloudProfile: {},
    seed: {},
    shoot: {
      metadata: { name: 'bar', namespace: 'garden-foo', annotations },
      spec: {
        region: 'eu-west-1',
        kubernetes: { version: '1.33.3' },
        networking: { ipFamilies: ['IPv4'] },
        provider: { type: 'aws', infrastructureConfig, workers: [{ name: 'pool1' }] },
        ...spec,
      },
      status,
    },
  },
})
