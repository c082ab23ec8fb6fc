import {
  type CloudProfileConfig,
  findFloatingPool,
  type InfrastructureStatus,
  type LoadBalancerClass,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'

/** The networks of load balancers: those without a class, and those of each class. */
export interface LoadBalancers {
  readonly standard: Networks
  readonly classes: readonly (Networks & { readonly name: string })[]
}

type Networks = Pick<
  LoadBalancerClass,
  'floatingNetworkID' | 'floatingSubnetID' | 'floatingSubnetName' | 'floatingSubnetTags' | 'subnetID'
>

/**
 * Chooses the networks of load balancers (docs/contract/openstack.md#controlplane). The classes of a user replace those
 * of the CloudProfile, except for one of purpose `vpn`.
 *
 * @param ofUser undefined: the user lists no classes
 * @param nodesSubnet the id of the nodes' subnet
 */
export const loadBalancersOf = ({
  ofUser,
  profile,
  networks: { floatingPool },
  nodesSubnet,
  region,
  domain,
}: {
  readonly ofUser: readonly LoadBalancerClass[] | undefined
  readonly profile: Pick<CloudProfileConfig, 'constraints'>
  readonly networks: Pick<InfrastructureStatus['networks'], 'floatingPool'>
  readonly nodesSubnet: string
  readonly region: string
  /** Of the credentials. */
  readonly domain: string
}): LoadBalancers => {
  const pool = findFloatingPool(profile.constraints.floatingPools, {
    name: floatingPool.name,
    region,
    domain,
  })
  const ofProfile = pool?.loadBalancerClasses ?? []
  const classes = ofUser ?? ofProfile
  const byPurpose = (purpose: string) => classes.find(one => one.purpose === purpose)
  const byName = (name: string) => classes.find(one => one.name === name)
  const privately = byPurpose('private') ?? byName('private')
  const standard = byPurpose('default') ?? byName('default') ?? classes[0]
  const vpn = ofProfile.find(({ purpose }) => purpose === 'vpn')
  return {
    standard: {
      floatingNetworkID: standard?.floatingNetworkID || floatingPool.id,
      floatingSubnetID: standard?.floatingSubnetID,
      floatingSubnetName: standard?.floatingSubnetName,
      floatingSubnetTags: standard?.floatingSubnetTags,
      subnetID: standard?.subnetID || privately?.subnetID || nodesSubnet,
    },
    classes: [...classes, ...(vpn === undefined ? [] : [vpn])],
  }
}
