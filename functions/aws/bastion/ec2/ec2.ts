import type { Rule } from './rules.ts'

export interface PublicSubnet {
  readonly id: string
  readonly vpcId: string
}

type TagValues = Readonly<Record<string, string>>

export interface ObservedGroup {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly vpcId: string
  readonly tags: TagValues
  readonly rules: readonly Rule[]
}

export interface ObservedInstance {
  readonly id: string
  readonly state: string
  /** Groups of all of its interfaces; none once it is terminated. */
  readonly groupIds: readonly string[]
  readonly tags: TagValues
  readonly publicEndpoint: BastionEndpoint
  readonly privateEndpoint: BastionEndpoint
}

export interface BastionEndpoint {
  readonly ip?: string
  readonly hostname?: string
}

export interface NewInstance {
  readonly imageId: string
  readonly type: string
  readonly groupId: string
  readonly subnetId: string
  /** As base64. */
  readonly userData: string
  readonly ipv6: boolean
  readonly tags: TagValues
}

/** The calls of EC2 that a bastion needs. Errors say what was being done, and hold no secret. */
export interface BastionEc2 {
  subnetsNamed(name: string): Promise<readonly PublicSubnet[]>
  /** By the names of groups, which are no tags and never change; in all VPCs. */
  groupsNamed(names: readonly string[]): Promise<readonly ObservedGroup[]>
  /** Returns false if the account has no such VPC. */
  hasGroupIn(vpcId: string): Promise<boolean>
  groupOf(id: string): Promise<ObservedGroup | undefined>
  /** By the tag Name; terminated ones too, for as long as EC2 lists them. */
  instancesNamed(name: string): Promise<readonly ObservedInstance[]>
  /** Returns the id. */
  createGroup(group: Pick<ObservedGroup, 'name' | 'description' | 'vpcId' | 'tags'>): Promise<string>
  /** Rules of one direction. */
  authorize(groupId: string, rules: readonly Rule[]): Promise<void>
  revoke(groupId: string, rules: readonly Rule[]): Promise<void>
  /** The same token again gives the instance that the first request with it started. */
  runInstance(instance: NewInstance, token: string): Promise<ObservedInstance>
  terminate(ids: readonly string[]): Promise<void>
  deleteGroup(id: string): Promise<void>
}
