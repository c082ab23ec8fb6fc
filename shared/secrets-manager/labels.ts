/** Labels of generated Secrets (docs/contract/secrets-manager.md#labels). */
export const secretLabels = {
  name: 'name',
  managedBy: 'managed-by',
  identity: 'manager-identity',
  configChecksum: 'checksum-of-config',
  caChecksum: 'checksum-of-signing-ca',
  /** Seconds since the epoch; empty: never rotated. */
  rotation: 'last-rotation-initiation-time',
  bundleFor: 'bundle-for',
  persist: 'persist',
  /** Seconds since the epoch. */
  issuedAt: 'issued-at-time',
  /** Seconds since the epoch. */
  validUntil: 'valid-until-time',
  renewAfter: 'renew-after-validity-percentage',
} as const

/** Value of `managed-by`, for every program. */
export const managedBy = 'secrets-manager'

/** On a Secret of any owner: the next secret generated for the config of that name copies its data. */
export const useDataForName = 'secrets-manager-use-data-for-name'

/** Annotation with the time since which no reconcile has needed the Secret, RFC 3339. */
export const unusedSince = 'trellis.gardener.cloud/unused-since'
