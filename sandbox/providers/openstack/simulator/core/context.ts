import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { CloudItem, ItemKind } from './items.ts'
import type { CloudStore } from './store.ts'

/** The holder of a token. */
export interface TokenHolder {
  readonly userId: string
  readonly projectId: string
  readonly roles: readonly string[]
  /** True for the simulator itself, which has no quota and changes without delay. */
  readonly isOperator: boolean
}

export const isAdmin = ({ roles, isOperator }: TokenHolder): boolean => isOperator || roles.includes('admin')

/** True if the holder may change anything in its project. */
export const isWriter = (holder: TokenHolder): boolean => isAdmin(holder) || holder.roles.includes('member')

/** The surroundings of one call. */
export interface KindContext {
  readonly holder: TokenHolder
  readonly store: CloudStore
  readonly now: Timestamp
  /** The minor version of Nova's API: 15 for 2.15. */
  readonly microversion: number
  /** The URL of the service. */
  readonly endpoint: string
  newId(): string
  random(count: number): Uint8Array
  /** The most resources of a project. */
  quotaOf(name: QuotaName, project: string): number
  /** Plans a change of OpenStack itself. */
  later(change: LaterChange): void
  /** Creates a resource as its service does: checks, then creates what belongs to it. */
  create<K extends ItemKind>(kind: K, fields: Readonly<Record<string, unknown>>, project?: string): CloudItem
  /** Removes a resource with those that belong to it. */
  end(kind: ItemKind, id: string): void
}

export interface LaterChange {
  readonly kind: ItemKind
  readonly id: string
  readonly after: DelayName
  readonly from: Readonly<Record<string, unknown>>
  /** Undefined: the resource ends. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** The usual delays of a real cloud, in ms. */
export const delays = {
  port: 2_000,
  floatingIp: 2_000,
  server: 20_000,
  serverEnd: 5_000,
  record: 5_000,
  zone: 5_000,
  loadBalancer: 60_000,
  loadBalancerEnd: 20_000,
} as const
export type DelayName = keyof typeof delays

/** The usual quotas. A negative number is no limit. */
export const quotas = {
  network: 100,
  subnet: 100,
  subnetpool: -1,
  port: 500,
  router: 50,
  floatingip: 50,
  security_group: 100,
  security_group_rule: 1_000,
  instances: 10,
  key_pairs: 100,
  server_groups: 50,
  zones: 10,
  zone_recordsets: 500,
  load_balancer: 50,
  share_networks: 10,
} as const
export type QuotaName = keyof typeof quotas
