import type { SendRules } from '../../../../terraform-free-infra/aws/account/security-groups/change-rules.ts'
import type { SecurityRule } from '../../../../terraform-free-infra/aws/account/security-groups/security-rule.ts'

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
  readonly rules: readonly SecurityRule[]
}

export interface ObservedInstance {
  readonly id: string
  readonly state: string
  /** The token of the call that started it. Empty: it had none. */
  readonly token: string
  /** Groups of its primary interface. Empty once it is terminated. */
  readonly groupIds: readonly string[]
  readonly tags: TagValues
  /** The addresses of its primary interface. */
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
  /** Base64. */
  readonly userData: string
  readonly ipv6: boolean
  readonly tags: TagValues
}

/** The EC2 calls that a bastion needs. Errors name the current action and contain no secret. */
export interface BastionEc2 {
  subnetsNamed(name: string): Promise<readonly PublicSubnet[]>
  /** Finds groups by name in all VPCs. Group names are not tags and never change. */
  groupsNamed(names: readonly string[]): Promise<readonly ObservedGroup[]>
  /** Returns false if the account has no such VPC. */
  hasGroupIn(vpcId: string): Promise<boolean>
  groupOf(id: string): Promise<ObservedGroup | undefined>
  /** Finds instances by the tag Name, including terminated ones that EC2 still lists. */
  instancesNamed(name: string): Promise<readonly ObservedInstance[]>
  /** Finds an instance even if EC2 does not list its tags yet. */
  instanceWith(
    by: { readonly id: string } | { readonly token: string },
  ): Promise<ObservedInstance | undefined>
  /** Returns the id. */
  createGroup(group: Pick<ObservedGroup, 'name' | 'description' | 'vpcId' | 'tags'>): Promise<string>
  changeRules: SendRules
  /** A repeated token returns the instance that its first request started. */
  runInstance(instance: NewInstance, token: string): Promise<ObservedInstance>
  terminate(id: string): Promise<void>
  deleteGroup(id: string): Promise<void>
}
