import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import type { Ec2Resource } from './resource.ts'

export interface KeyPair extends Ec2Resource {
  readonly name: string
  readonly type: 'rsa' | 'ed25519'
  readonly fingerprint: string
  /** In OpenSSH format. */
  readonly publicKey: string
}

export interface Volume extends Ec2Resource {
  readonly zone: string
  /** GiB. */
  readonly size: number
  readonly type: string
  readonly iops: number | undefined
  /** MiB/s. */
  readonly throughput: number | undefined
  readonly encrypted: boolean
  readonly kmsKeyId: string | undefined
  readonly snapshotId: string | undefined
  readonly deletedAt?: Timestamp | undefined
  readonly attachment?: VolumeAttachment | undefined
}

export interface VolumeAttachment {
  readonly instanceId: string
  readonly device: string
  readonly at: Timestamp
  readonly deleteOnTermination: boolean
  readonly until?: Timestamp | undefined
}

/** arm64 instance types boot only by UEFI. */
export type BootMode = 'uefi' | 'uefi-preferred'

export interface Image extends Ec2Resource {
  readonly name: string
  readonly description: string
  readonly architecture: 'x86_64' | 'arm64'
  readonly ownerId: string
  readonly ownerAlias: string | undefined
  /** Undefined: the image has no boot mode, so its instances use the default of their type. */
  readonly bootMode?: BootMode | undefined
  readonly isPublic: boolean
  readonly rootDeviceName: string
  /** GiB. */
  readonly rootSize: number
  readonly snapshotId: string
}

export interface MetadataOptions {
  readonly httpTokens: 'optional' | 'required'
  readonly hopLimit: number
  readonly endpoint: 'enabled' | 'disabled'
  readonly ipv6: 'enabled' | 'disabled'
  readonly tags: 'enabled' | 'disabled'
}

export interface Instance extends Ec2Resource {
  readonly reservationId: string
  readonly launchIndex: number
  readonly imageId: string
  readonly architecture: 'x86_64' | 'arm64'
  /** The boot mode of its image. */
  readonly bootMode?: BootMode | undefined
  readonly instanceType: string
  readonly vpcId: string
  readonly subnetId: string
  readonly zone: string
  readonly keyName: string | undefined
  readonly clientToken: string
  readonly userData: string | undefined
  readonly rootDeviceName: string
  readonly instanceProfile?: { readonly arn: string; readonly id: string } | undefined
  readonly metadata: MetadataOptions
  readonly cpu: { readonly cores: number; readonly threads: number; readonly amdSevSnp?: string | undefined }
  readonly placement: {
    readonly tenancy: string
    readonly groupId?: string | undefined
    readonly groupName?: string | undefined
    readonly hostId?: string | undefined
    readonly partition?: number | undefined
    readonly affinity?: string | undefined
  }
  readonly capacityReservation: {
    readonly preference?: string | undefined
    readonly id?: string | undefined
    readonly groupArn?: string | undefined
  }
  readonly spotRequestId?: string | undefined
  /** Set if the instance is neither on demand nor a Spot Instance. */
  readonly marketType?: 'capacity-block' | 'interruptible-capacity-reservation' | undefined
  readonly hostnameType: 'ip-name' | 'resource-name'
  readonly aRecord: boolean
  readonly aaaaRecord: boolean
  readonly ebsOptimized: boolean
  readonly monitoring: boolean
  readonly terminationProtected: boolean
  /** Absent in older snapshots. */
  readonly stopProtected?: boolean
  readonly shutdownBehavior: 'stop' | 'terminate'
  /** The time of the last start. */
  readonly startedAt: Timestamp
  readonly stoppedAt?: Timestamp | undefined
  readonly terminatedAt?: Timestamp | undefined
}

/** The supply of an instance type in a zone: no capacity left, or the zone does not offer the type. */
export type Supply = 'exhausted' | 'not-offered'
