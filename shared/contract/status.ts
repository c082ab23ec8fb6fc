import type { Timestamp } from '../clock/clock.ts'
import { formatSeconds } from '../clock/clock.ts'
import type { ErrorCode, OperationType } from './constants.ts'
import type { KindName } from './kinds.ts'
import type { LastError, LastOperation } from './schemas/last-operation.ts'
import type { StepOperation } from './step-annotation.ts'

/**
 * The part of a merge patch on `status` that describes an operation. Times in whole seconds
 * (docs/contract/lifecycle.md#status-writes).
 */
export interface StatusPatch {
  readonly lastOperation: LastOperation
  /** Null removes it; absent leaves it unchanged. */
  readonly lastError?: LastErrorPatch | null
  readonly observedGeneration?: number
}

/** A merge patch: `codes: null` removes the codes of the previous error. */
export type LastErrorPatch = Omit<LastError, 'codes'> & { readonly codes: readonly ErrorCode[] | null }

/**
 * An operation starts (1 %) or continues (`progress` up to 99; the text names what it waits for). The error of the
 * previous attempt remains visible.
 */
export const processing = (type: OperationType, text: string, now: Timestamp, progress = 1): StatusPatch => ({
  lastOperation: lastOperationOf(type, 'Processing', progress, text, now),
})

/** An operation has succeeded. `generation`: that of the processed spec. */
export const succeeded = (
  type: OperationType,
  text: string,
  now: Timestamp,
  generation: number,
): StatusPatch => ({
  lastOperation: lastOperationOf(type, 'Succeeded', 100, text, now),
  lastError: null,
  observedGeneration: generation,
})

/** An attempt has failed. `description`: from `errorDescription`; `generation`: that of the processed spec. */
export const failed = (
  type: OperationType,
  description: string,
  codes: readonly ErrorCode[],
  now: Timestamp,
  generation: number,
): StatusPatch => ({
  lastOperation: lastOperationOf(type, 'Error', 50, description, now),
  lastError: { description, codes: codes.length === 0 ? null : codes, lastUpdateTime: formatSeconds(now) },
  observedGeneration: generation,
})

/** Limit of foreign messages in a status, in characters: an object holds 1.5 MB. */
const longestDescription = 16_384

/** Returns `<prefix>: <message>` with an upper case first letter, cut to 16,384 characters. */
export const errorDescription = (prefix: string, message: string): string => {
  const text = `${prefix}: ${message}`
  const start = text.charAt(0).toUpperCase() + text.slice(1, longestDescription)
  return text.length > longestDescription ? `${start}…` : start
}

const lastOperationOf = (
  type: OperationType,
  state: 'Processing' | 'Succeeded' | 'Error',
  progress: number,
  description: string,
  now: Timestamp,
): LastOperation => ({ type, state, progress, description, lastUpdateTime: formatSeconds(now) })

/** The texts of an operation in the status (docs/contract/lifecycle.md#status-texts). */
export interface OperationTexts {
  readonly processing: string
  readonly errorPrefix: string
  /** Prefix of the config validator's message. Absent: the operation has none. */
  readonly validationErrorPrefix?: string
  readonly success: string
}

type TextsOfKind = Readonly<Record<StepOperation, OperationTexts>>

/** @param stem `reconcil` in `Reconciling the Worker` and `Successfully reconciled Worker` */
const textsOf = (stem: 'reconcil' | 'delet' | 'migrat' | 'restor', kind: string): OperationTexts => ({
  processing: `${stem.charAt(0).toUpperCase()}${stem.slice(1)}ing the ${kind}`,
  errorPrefix: `Error ${stem}ing ${kind}`,
  success: `Successfully ${stem}ed ${kind}`,
})

/** The texts of six kinds, and the defaults of the others. */
const regular = (kind: string): TextsOfKind => ({
  reconcile: textsOf('reconcil', kind),
  delete: textsOf('delet', kind),
  migrate: textsOf('migrat', kind),
  restore: textsOf('restor', kind),
})

const texts: Readonly<Record<KindName, TextsOfKind>> = {
  Infrastructure: {
    ...regular('Infrastructure'),
    reconcile: {
      ...textsOf('reconcil', 'infrastructure'),
      validationErrorPrefix: 'Error checking infrastructure config',
    },
    migrate: {
      ...regular('Infrastructure').migrate,
      processing: 'Starting migration of the Infrastructure',
    },
    restore: {
      ...regular('Infrastructure').restore,
      validationErrorPrefix: 'Error checking Infrastructure config',
    },
  },
  DNSRecord: regular('DNSRecord'),
  BackupBucket: { ...regular('BackupBucket'), reconcile: textsOf('reconcil', 'backupbucket') },
  BackupEntry: regular('BackupEntry'),
  Bastion: {
    ...regular('Bastion'),
    reconcile: { ...regular('Bastion').reconcile, validationErrorPrefix: 'Error checking bastion config' },
    // Intentional: the Go library has this text, and tools may search for it.
    delete: { ...regular('Bastion').delete, success: 'Successfully reconciled Bastion' },
  },
  Worker: {
    ...regular('Worker'),
    migrate: { ...regular('Worker').migrate, processing: 'Starting migration of the Worker' },
    // Intentional, as with Bastion.
    restore: { ...regular('Worker').restore, success: 'Successfully reconciled Worker' },
  },
  ControlPlane: regular('ControlPlane'),
  Network: regular('Network'),
  OperatingSystemConfig: regular('OperatingSystemConfig'),
  ContainerRuntime: regular('ContainerRuntime'),
  Extension: {
    reconcile: textsOf('reconcil', 'Extension'),
    delete: { ...textsOf('delet', 'the Extension'), processing: 'Deleting the Extension' },
    migrate: {
      processing: 'Migrate Extension resource.',
      errorPrefix: 'Error migrating Extension resource',
      success: 'Successfully migrated Extension resource',
    },
    restore: {
      processing: 'Restoring Extension resource',
      errorPrefix: 'Unable to restore Extension resource',
      success: 'Successfully restored Extension resource',
    },
  },
  SelfHostedShootExposure: {
    ...regular('SelfHostedShootExposure'),
    // Intentional, as with Bastion.
    delete: {
      ...regular('SelfHostedShootExposure').delete,
      success: 'Successfully reconciled SelfHostedShootExposure',
    },
  },
}

/**
 * Returns the texts of an operation. Kinds without migrate and restore have regular texts for them, which are never
 * written.
 */
export const operationTexts = (kind: KindName, operation: StepOperation): OperationTexts =>
  texts[kind][operation]
