import { describe, expect, test } from 'vitest'
import { configOf } from './config/problems/testing/problems.ts'
import { networkStatusOf, providerStatusOf } from './status.ts'

const state = {
  VPC: 'vpc-1',
  KeyPair: 'k',
  IAMInstanceProfileName: 'p',
  IAMRoleARN: 'arn:r',
  NodesSecurityGroup: 'sg-1',
  efsSystemID: 'fs-1',
  'Zones/eu-west-1b/SubnetPublicUtility': 'subnet-bp',
  'Zones/eu-west-1b/SubnetPublicUtilityCIDR': '10.0.0.0/24',
  'Zones/eu-west-1b/SubnetWorkers': 'subnet-bw',
  'Zones/eu-west-1a/SubnetPublicUtility': 'subnet-ap',
  'Zones/eu-west-1a/SubnetWorkers': 'subnet-aw',
  'Zones/eu-west-1a/SubnetPrivateUtility': 'subnet-ai',
  'Zones/eu-west-1a/Suffix': 'z0',
}

describe('the provider status', () => {
  // docs/contract/provider-aws-defects.md#order-of-the-subnets
  test('has the format that the Go extension decodes, with subnets in a fixed order', () => {
    expect(providerStatusOf(state, configOf())).toEqual({
      apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'InfrastructureStatus',
      ec2: { keyName: 'k' },
      iam: {
        instanceProfiles: [{ purpose: 'nodes', name: 'p' }],
        roles: [{ purpose: 'nodes', arn: 'arn:r' }],
      },
      vpc: {
        id: 'vpc-1',
        subnets: [
          { purpose: 'nodes', id: 'subnet-aw', zone: 'eu-west-1a' },
          { purpose: 'internal', id: 'subnet-ai', zone: 'eu-west-1a' },
          { purpose: 'public', id: 'subnet-ap', zone: 'eu-west-1a' },
          { purpose: 'nodes', id: 'subnet-bw', zone: 'eu-west-1b' },
          { purpose: 'public', id: 'subnet-bp', zone: 'eu-west-1b' },
        ],
        securityGroups: [{ purpose: 'nodes', id: 'sg-1' }],
      },
      elasticFileSystem: { ID: 'fs-1' },
    })
  })

  test('contains empty values for missing resources', () => {
    expect(providerStatusOf({}, configOf())).toEqual({
      apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'InfrastructureStatus',
      ec2: { keyName: '' },
      iam: { instanceProfiles: null, roles: null },
      vpc: { id: '', subnets: null, securityGroups: null },
      elasticFileSystem: { ID: '' },
    })
  })

  test('contains the VPC and file system of the user rather than those of the state', () => {
    const config = configOf({
      vpc: { id: 'vpc-mine' },
      rest: { elasticFileSystem: { enabled: true, id: 'fs-mine' } },
    })
    expect(providerStatusOf(state, config)).toMatchObject({
      vpc: { id: 'vpc-mine' },
      elasticFileSystem: { ID: 'fs-mine' },
    })
  })
})

describe('the networks', () => {
  const shoot = { nodes: '10.250.0.0/16', pods: '100.96.0.0/11', services: '100.64.0.0/13' }
  const block = '2001:db8::/56'
  const range = '2001:db8::1:0:0/108'
  const ipv4 = {
    networking: { nodes: [shoot.nodes], pods: [shoot.pods], services: [shoot.services] },
    egressCIDRs: ['1.2.3.4/32', '5.6.7.8/32'],
  }
  const EgressCIDRs = '1.2.3.4/32,5.6.7.8/32'

  test('are those of the shoot, and the addresses of the NAT gateways', () => {
    expect(networkStatusOf({ EgressCIDRs }, shoot)).toEqual(ipv4)
  })

  test('have IPv6 first once a range for services is reserved', () => {
    const known = { EgressCIDRs, VPCIPv6CidrBlock: block, ServiceCIDR: range }
    expect(networkStatusOf(known, shoot)).toEqual({
      networking: {
        nodes: [block, shoot.nodes],
        pods: [block, shoot.pods],
        services: [range, shoot.services],
      },
      egressCIDRs: [...ipv4.egressCIDRs, block],
    })
    expect(networkStatusOf({ EgressCIDRs, VPCIPv6CidrBlock: block }, shoot)).toEqual(ipv4)
  })

  // docs/contract/provider-aws-defects.md#egress-cidrs-that-grow
  test('contain each range once', () => {
    const known = { EgressCIDRs: `${block},${block}`, VPCIPv6CidrBlock: block, ServiceCIDR: range }
    expect(networkStatusOf(known, shoot).egressCIDRs).toEqual([block])
  })

  test('are removed if there are none', () => {
    const none = { nodes: undefined, pods: undefined, services: undefined }
    expect(networkStatusOf({}, none)).toEqual({
      networking: { nodes: null, pods: null, services: null },
      egressCIDRs: null,
    })
  })
})
