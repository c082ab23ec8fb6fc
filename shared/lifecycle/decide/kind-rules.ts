import type { KindName } from '../../contract/kinds.ts'

/**
 * The lifecycle differences between kinds (docs/contract/lifecycle.md#preconditions,
 * docs/contract/lifecycle.md#dispatch, docs/contract/lifecycle.md#one-attempt, docs/contract/kinds.md#overview).
 */
export interface KindRules {
  /**
   * Reads the Cluster named like the namespace always, only in a shoot's namespace, or never. An error (also NotFound)
   * is retried with backoff and does not change the status.
   */
  readonly cluster: 'always' | 'in-shoot-namespace' | 'never'
  /** No step runs while `shoot.status.lastOperation.state` is `Failed`. */
  readonly stopsForFailedShoot: boolean
  /** The kind has migrate, restore and the rule that a migrated object is ignored. */
  readonly migrates: boolean
  /** The finalizers that a migrate removes. */
  readonly migrateDrops: 'own finalizer' | 'all finalizers'
  /** The time when a successful restore consumes its annotation. */
  readonly restoreConsumesAnnotation: 'before Succeeded' | 'after Succeeded'
  /** The place of the annotation that forces a delete. */
  readonly forceDelete: 'shoot annotation' | 'own annotation' | 'none'
  /** The `Created` condition (docs/contract/kinds.md#created-condition): written by reconcile and read by delete. */
  readonly createdCondition: boolean
  /** Adds this kind's finalizer to the Secret of `spec.secretRef` too. */
  readonly hasSecretFinalizer: boolean
  /** `Delete`, even if the computed type differs. */
  readonly deleteType: 'Delete' | 'computed'
}

const common: KindRules = {
  cluster: 'always',
  stopsForFailedShoot: true,
  migrates: true,
  migrateDrops: 'all finalizers',
  restoreConsumesAnnotation: 'after Succeeded',
  forceDelete: 'shoot annotation',
  createdCondition: false,
  hasSecretFinalizer: false,
  deleteType: 'Delete',
}

const backup: KindRules = {
  ...common,
  cluster: 'never',
  stopsForFailedShoot: false,
  forceDelete: 'none',
  hasSecretFinalizer: true,
  deleteType: 'computed',
}

export const kindRules: Readonly<Record<KindName, KindRules>> = {
  Infrastructure: {
    ...common,
    migrateDrops: 'own finalizer',
    restoreConsumesAnnotation: 'before Succeeded',
  },
  DNSRecord: { ...common, cluster: 'in-shoot-namespace', createdCondition: true, deleteType: 'computed' },
  BackupBucket: { ...backup, migrates: false },
  BackupEntry: backup,
  Bastion: {
    ...common,
    stopsForFailedShoot: false,
    migrates: false,
    forceDelete: 'own annotation',
    deleteType: 'computed',
  },
  Worker: { ...common, migrateDrops: 'own finalizer' },
  ControlPlane: { ...common, deleteType: 'computed' },
  Network: common,
  ContainerRuntime: common,
  OperatingSystemConfig: common,
  Extension: { ...common, cluster: 'in-shoot-namespace' },
  SelfHostedShootExposure: { ...common, stopsForFailedShoot: false, migrates: false },
}
