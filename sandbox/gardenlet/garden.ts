import type { WorkerPool } from '../../shared/contract/objects.ts'

/** A Shoot as the garden stores it: the fields that gardenlet and, through its Cluster, the functions read. */
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
    /** The API server is `api.<domain>`, the ingress is `*.ingress.<domain>`. */
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

/** A resource of the Shoot that is implemented by the provider of its type. */
export interface TypedConfig {
  readonly type: string
  readonly providerConfig?: object
}

/**
 * The phase in which an Extension is created, as its registration says: before or after the API server, or once nodes
 * exist.
 */
export type ExtensionPhase = 'before-kube-apiserver' | 'after-kube-apiserver' | 'after-worker'

/** A pool of machines as the user defines it. */
export interface ShootWorkers
  extends Pick<WorkerPool, 'name' | 'minimum' | 'maximum' | 'maxSurge' | 'maxUnavailable' | 'zones'> {
  readonly machine: {
    readonly type: string
    readonly architecture: string
    readonly image: { readonly name: string; readonly version: string }
  }
  readonly volume: { readonly type: string; readonly size: string }
  /** In addition to containerd. */
  readonly containerRuntimes?: readonly TypedConfig[]
}

export interface AuthorityRotation {
  readonly phase: 'Preparing' | 'Prepared' | 'Completing' | 'Completed'
  /** RFC 3339. */
  readonly lastInitiationTime: string
}

/** The garden's data other than Shoots. */
export interface Landscape {
  readonly cloudProfile: object
  /** The credentials of the shoot's user, in the Secret `cloudprovider`. */
  readonly credentials: Readonly<Record<string, string>>
  /** Base64. */
  readonly sshPublicKey: string
  /** The DNS provider and its domains. API servers have a second name below the internal domain. */
  readonly dns: {
    readonly type: string
    readonly internalDomain: string
    readonly credentials: Readonly<Record<string, string>>
  }
  /** By Extension type. Default: `after-kube-apiserver`. */
  readonly extensionPhases?: Readonly<Record<string, ExtensionPhase>>
}

export interface SeedFacts {
  readonly name: string
  /** IPv4 address of the API servers and the ingress of its shoots. */
  readonly address: string
  readonly backup: {
    readonly type: string
    readonly region: string
    readonly bucketName: string
    readonly credentials: Readonly<Record<string, string>>
  }
}

/** The garden's data of a shoot that moves, in addition to the Shoot: a ShootState. */
export interface ShootState {
  /** `status.state` of its objects, by `<kind>/<name>`. */
  readonly states: Readonly<Record<string, unknown>>
  /** Secrets with the label `persist`. */
  readonly secrets: readonly PersistedSecret[]
  /** The bucket with its current backups. */
  readonly backup: SeedFacts['backup']
}

/** The ShootState in the garden, which outlives a gardenlet. */
export interface StoredState {
  read(): ShootState | undefined
  write(state: ShootState): void
}

export interface PersistedSecret {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly type: string
  readonly immutable?: boolean
  readonly data: Readonly<Record<string, string>>
}
