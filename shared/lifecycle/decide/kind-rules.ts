import type { KindName } from '../../contract/kinds.ts'

/**
 * How the kinds differ in their lifecycle (docs/contract/lifecycle.md#preconditions,
 * docs/contract/lifecycle.md#dispatch, docs/contract/lifecycle.md#one-attempt, docs/contract/kinds.md#overview).
 */
export interface KindRules {
  /**
   * When the Cluster named like the namespace is read: always, only in a namespace of a shoot, or never. An error
   * reading it (also NotFound) is retried with backoff and leaves the status alone.
   */
  readonly cluster: 'always' | 'in-shoot-namespace' | 'never'
  /** Nothing happens while `shoot.status.lastOperation.state` is `Failed`. */
  readonly stopsForFailedShoot: boolean
  /** Has migrate, restore and the rule that a migrated object is left alone. */
  readonly migrates: boolean
  /** Which finalizers a migrate drops. */
  readonly migrateDrops: 'own finalizer' | 'all finalizers'
  /** When a successful restore consumes its annotation. */
  readonly restoreConsumesAnnotation: 'before Succeeded' | 'after Succeeded'
  /** Where the order to force a delete stands. */
  readonly forceDelete: 'shoot annotation' | 'own annotation' | 'none'
  /** The `Created` condition (docs/contract/kinds.md#created-condition): written on reconcile, and read on delete. */
  readonly createdCondition: boolean
  /** The Secret of `spec.secretRef` gets this kind's finalizer too. */
  readonly keepsSecretFinalizer: boolean
  /** `Delete` also where the computed type is something else. */
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
  keepsSecretFinalizer: false,
  deleteType: 'Delete',
}

const backup: KindRules = {
  ...common,
  cluster: 'never',
  stopsForFailedShoot: false,
  forceDelete: 'none',
  keepsSecretFinalizer: true,
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
