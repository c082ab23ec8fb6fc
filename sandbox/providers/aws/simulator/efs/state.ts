import type { PerformanceMode, ThroughputMode } from '@aws-sdk/client-efs'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/* EFS's state of an account in a region: plain JSON data. */

export interface EfsTag {
  readonly Key: string
  readonly Value: string
}

export interface FileSystem {
  readonly id: string
  readonly creationToken: string
  readonly createdAt: Timestamp
  readonly performanceMode: PerformanceMode
  readonly throughputMode: ThroughputMode
  /** MiB/s. */
  readonly provisioned: number | undefined
  readonly encrypted: boolean
  readonly kmsKeyId: string | undefined
  /** The zone of a One Zone file system. */
  readonly zone: string | undefined
  tags: readonly EfsTag[]
  deletedAt: Timestamp | undefined
}

export interface MountTarget {
  readonly id: string
  readonly fileSystemId: string
  readonly subnetId: string
  readonly vpcId: string
  readonly zone: string
  readonly ip: string | undefined
  readonly ipv6: string | undefined
  readonly interfaceId: string
  groupIds: readonly string[]
  readonly createdAt: Timestamp
  deletedAt: Timestamp | undefined
}

export interface EfsState {
  /** In order of creation, like the mount targets. */
  fileSystems: readonly FileSystem[]
  mountTargets: readonly MountTarget[]
}

export const emptyState = (): EfsState => ({ fileSystems: [], mountTargets: [] })
