import type { Bastion, Cluster } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

export const namespace = 'shoot--foo--bar'
export const amdImage = 'ami-0aaaaaaaaaaaaaaa1'
export const armImage = 'ami-0aaaaaaaaaaaaaaa2'
export const userData = Buffer.from('#!/bin/bash\necho').toString('base64')

export interface BastionParts {
  readonly spec?: Partial<Bastion['spec']>
  readonly metadata?: Partial<Bastion['metadata']>
  readonly status?: NonNullable<Bastion['status']>
}

/** A Bastion as gardenlet writes it. */
export const bastionOf = ({ spec, metadata, status }: BastionParts = {}): Bastion => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Bastion',
  metadata: { name: 'cli-abc', namespace, uid: 'bastion-uid', ...metadata },
  spec: { type: 'aws', userData, ingress: blocks('203.0.113.7/32'), ...spec },
  ...(status && { status }),
})

/** `spec.ingress` with ranges without exceptions. */
export const blocks = (...cidrs: readonly string[]): Bastion['spec']['ingress'] =>
  cidrs.map(cidr => ({ ipBlock: { cidr } }))

/** The `spec` of a CloudProfile with one type and one image, and the changes of a test. */
const cloudProfileOf = (parts: Readonly<Record<string, unknown>> = {}) => ({
  type: 'aws',
  machineTypes: [
    { name: 'm5.large', cpu: '2', memory: '8Gi', architecture: 'amd64' },
    { name: 't3.nano', cpu: '1', memory: '512Mi', architecture: 'amd64', usable: false },
    { name: 't3.small', cpu: '1', memory: '2Gi', architecture: 'amd64' },
  ],
  machineImages: [
    {
      name: 'gardenlinux',
      versions: [{ version: '1877.3.0', classification: 'supported', architectures: ['amd64', 'arm64'] }],
    },
  ],
  providerConfig: {
    apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'CloudProfileConfig',
    machineImages: [
      {
        name: 'gardenlinux',
        versions: [
          {
            version: '1877.3.0',
            regions: [
              { name: 'eu-west-1', ami: amdImage, architecture: 'amd64' },
              { name: 'eu-west-1', ami: armImage, architecture: 'arm64' },
            ],
          },
        ],
      },
    ],
  },
  ...parts,
})

export const clusterOf = ({
  cloudProfile = {},
  shoot = {},
}: {
  readonly cloudProfile?: Readonly<Record<string, unknown>>
  readonly shoot?: Readonly<Record<string, unknown>>
} = {}): Cluster => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: namespace },
  spec: {
    cloudProfile: { spec: cloudProfileOf(cloudProfile) },
    shoot: {
      metadata: { name: 'bar', uid: 'shoot-uid' },
      spec: { region: 'eu-west-1', networking: { ipFamilies: ['IPv4'] }, ...shoot },
    },
  },
})

/** The Infrastructure of the shoot after its network was created. */
export const infrastructureIn = (vpcId: string): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Infrastructure',
  metadata: { name: 'bar', namespace },
  status: { providerStatus: { vpc: { id: vpcId } } },
})
