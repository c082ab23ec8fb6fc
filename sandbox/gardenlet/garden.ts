import type { WorkerPool } from '../../shared/contract/objects.ts'

/** A Shoot as the garden has it: what gardenlet, and the functions by its Cluster, read of it. */
export interface GardenShoot {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid: string
    readonly deletionTimestamp?: string
  }
  readonly spec: {
    readonly region: string
    readonly kubernetes: { readonly version: string }
    /** The API server is `api.<domain>`, what is behind the ingress `*.ingress.<domain>`. */
    readonly dns: { readonly domain: string }
    readonly hibernation: { readonly enabled: boolean }
    readonly networking: object
    readonly provider: {
      readonly type: string
      readonly infrastructureConfig: object
      readonly controlPlaneConfig: object
      readonly workers: readonly ShootWorkers[]
    }
  }
  readonly status: {
    /** Its namespace in a seed. */
    readonly technicalID: string
    readonly isHibernated: boolean
    readonly lastOperation?: { readonly type: string; readonly state: string }
    readonly credentials?: { readonly rotation: { readonly certificateAuthorities: AuthorityRotation } }
  }
}

/** A pool of machines, as a user asks for it. */
export interface ShootWorkers
  extends Pick<WorkerPool, 'name' | 'minimum' | 'maximum' | 'maxSurge' | 'maxUnavailable' | 'zones'> {
  readonly machine: {
    readonly type: string
    readonly architecture: string
    readonly image: { readonly name: string; readonly version: string }
  }
  readonly volume: { readonly type: string; readonly size: string }
}

export interface AuthorityRotation {
  readonly phase: 'Preparing' | 'Prepared' | 'Completing' | 'Completed'
  /** RFC 3339. */
  readonly lastInitiationTime: string
}

/** What the garden knows beside Shoots. */
export interface Landscape {
  readonly cloudProfile: object
  /** Of the shoot's user, in the Secret `cloudprovider`. */
  readonly credentials: Readonly<Record<string, string>>
  /** In base64. */
  readonly sshPublicKey: string
  /** Whose the domains are; API servers have a second name below the internal one. */
  readonly dns: {
    readonly type: string
    readonly internalDomain: string
    readonly credentials: Readonly<Record<string, string>>
  }
}

/** One seed of the landscape. */
export interface SeedFacts {
  readonly name: string
  /** Where API servers and the ingress of its shoots are reached: an address of IPv4. */
  readonly address: string
  readonly backup: {
    readonly type: string
    readonly region: string
    readonly bucketName: string
    readonly credentials: Readonly<Record<string, string>>
  }
}

/** What the garden keeps of a shoot that moves, beside the Shoot: a ShootState. */
export interface ShootState {
  /** `status.state` of its objects, by `<kind>/<name>`. */
  readonly states: Readonly<Record<string, unknown>>
  /** Secrets with the label `persist`. */
  readonly secrets: readonly PersistedSecret[]
  /** The bucket with its backups so far. */
  readonly backup: SeedFacts['backup']
}

export interface PersistedSecret {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly type: string
  readonly immutable?: boolean
  readonly data: Readonly<Record<string, string>>
}
