import * as z from 'zod'
import type { Bastion, Cluster } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { OpenStackAccess } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import type { ShootNetwork } from '../request.ts'

export const namespace = 'shoot--os--bastion'
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
  metadata: { name: 'tun1', namespace, uid: 'bastion-uid', ...metadata },
  spec: { type: 'openstack', userData, ingress: blocks('1.2.3.4/32'), ...spec },
  ...(status && { status }),
})

/** `spec.ingress` with ranges without exceptions. */
export const blocks = (...cidrs: readonly string[]): Bastion['spec']['ingress'] =>
  cidrs.map(cidr => ({ ipBlock: { cidr } }))

export interface ImageParts {
  readonly regions?: readonly { readonly name: string; readonly id: string }[]
  readonly image?: string
}

/** The Cluster of a shoot in a CloudProfile with one type and one image. */
export const clusterOf = (image: ImageParts, region = 'RegionOne', type = 'm1.small'): Cluster => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: namespace },
  spec: {
    cloudProfile: {
      spec: {
        machineTypes: [{ name: type, cpu: '1', architecture: 'amd64' }],
        machineImages: [
          { name: 'gardenlinux', versions: [{ version: '1877.3.0', classification: 'supported' }] },
        ],
        providerConfig: {
          apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1',
          kind: 'CloudProfileConfig',
          machineImages: [{ name: 'gardenlinux', versions: [{ version: '1877.3.0', ...image }] }],
        },
      },
    },
    shoot: { metadata: { name: 'bar', uid: 'shoot-uid' }, spec: { region } },
  },
})

/** The Infrastructure of the shoot after its network was created. */
export const infrastructureOf = (network: ShootNetwork): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Infrastructure',
  metadata: { name: 'bar', namespace },
  status: {
    providerStatus: {
      apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'InfrastructureStatus',
      networks: {
        id: network.networkId,
        name: namespace,
        floatingPool: { id: network.floatingNetworkId, name: 'public' },
        router: { id: network.routerId, ip: '', externalFixedIP: [] },
        subnets: [],
      },
      node: { keyName: namespace },
      securityGroups: [{ purpose: 'nodes', id: network.nodesGroupId, name: namespace }],
    },
  },
})

const idIn = (member: string) => z.object({ [member]: z.object({ id: z.string() }) })

/** Creates the network of a shoot as its Infrastructure would. `name`: that of an own network. */
export const makeNetwork = async (cloud: OpenStackAccess, name = namespace): Promise<ShootNetwork> => {
  const post = async (path: string, member: string, fields: object): Promise<string> => {
    const made = await cloud.call({
      service: 'network',
      method: 'POST',
      path: [path],
      body: { [member]: { name, ...fields } },
      answer: idIn(member),
      doing: `creating ${member}`,
    })
    return (made as Record<string, { id: string }>)[member]?.id ?? ''
  }
  const { networks } = await cloud.call({
    service: 'network',
    method: 'GET',
    path: ['networks'],
    query: { name: 'public' },
    answer: z.object({ networks: z.array(z.object({ id: z.string() })) }),
    doing: 'listing networks',
  })
  const floatingNetworkId = networks[0]?.id ?? ''
  const networkId = await post('networks', 'network', {})
  const subnet = await post('subnets', 'subnet', {
    network_id: networkId,
    ip_version: 4,
    cidr: '10.250.0.0/16',
  })
  const routerId = await post('routers', 'router', {
    external_gateway_info: { network_id: floatingNetworkId },
  })
  await cloud.call({
    service: 'network',
    method: 'PUT',
    path: ['routers', routerId, 'add_router_interface'],
    body: { subnet_id: subnet },
    doing: 'adding the interface',
  })
  const nodesGroupId = await post('security-groups', 'security_group', { description: 'Cluster Nodes' })
  return { networkId, routerId, floatingNetworkId, nodesGroupId }
}
