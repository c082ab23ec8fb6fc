/** Labels of generated Secrets (docs/contract/secrets-manager.md#labels). */
export const secretLabels = {
  /** Of the config. */
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

/** Value of `managed-by`, whichever program does it. */
export const managedBy = 'secrets-manager'

/** On a Secret of anybody's: what is generated next for the config of that name is a copy of its data. */
export const useDataForName = 'secrets-manager-use-data-for-name'

/** Annotation: since when no reconcile has needed the Secret any more, RFC 3339. */
export const unusedSince = 'trellis.gardener.cloud/unused-since'
