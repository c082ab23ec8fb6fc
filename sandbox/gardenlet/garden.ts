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
    readonly networking: {
      readonly type: string
      readonly ipFamilies: readonly ('IPv4' | 'IPv6')[]
      readonly nodes: string
      readonly pods: string
      readonly services: string
      readonly providerConfig?: object
    }
    readonly extensions?: readonly TypedConfig[]
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

/** What a user asks for that has a type, and is described by whoever serves the type. */
export interface TypedConfig {
  readonly type: string
  readonly providerConfig?: object
}

/** When an Extension is made, as its registration says: before or after the API server, or when there are nodes. */
export type ExtensionPhase = 'before-kube-apiserver' | 'after-kube-apiserver' | 'after-worker'

/** A pool of machines, as a user asks for it. */
export interface ShootWorkers
  extends Pick<WorkerPool, 'name' | 'minimum' | 'maximum' | 'maxSurge' | 'maxUnavailable' | 'zones'> {
  readonly machine: {
    readonly type: string
    readonly architecture: string
    readonly image: { readonly name: string; readonly version: string }
  }
  readonly volume: { readonly type: string; readonly size: string }
  /** Beside containerd. */
  readonly containerRuntimes?: readonly TypedConfig[]
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
  /** By the types of Extensions; `after-kube-apiserver` for those that are not named. */
  readonly extensionPhases?: Readonly<Record<string, ExtensionPhase>>
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
