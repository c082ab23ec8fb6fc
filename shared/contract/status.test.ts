import { describe, expect, test } from 'vitest'
import { type KindName, kindNames } from './kinds.ts'
import { errorDescription, failed, operationTexts, processing, succeeded } from './status.ts'
import { type StepOperation, stepOperations } from './step-annotation.ts'

// 2026-11-21T02:58:25.999Z: the milliseconds must neither show nor round up.
const now = Date.UTC(2026, 10, 21, 2, 58, 25, 999)

describe('status patches', () => {
  test('Processing reports 1 % and changes neither lastError nor observedGeneration', () => {
    expect(processing('Create', 'Reconciling the DNSRecord', now)).toEqual({
      lastOperation: {
        type: 'Create',
        state: 'Processing',
        progress: 1,
        description: 'Reconciling the DNSRecord',
        lastUpdateTime: '2026-11-21T02:58:25Z',
      },
    })
  })

  test('a continued Processing reports its progress', () => {
    expect(processing('Delete', 'waiting for the NAT gateway', now, 40).lastOperation).toMatchObject({
      state: 'Processing',
      progress: 40,
      description: 'waiting for the NAT gateway',
    })
  })

  test('Succeeded clears the error and records the generation', () => {
    expect(succeeded('Reconcile', 'Successfully reconciled DNSRecord', now, 7)).toEqual({
      lastOperation: {
        type: 'Reconcile',
        state: 'Succeeded',
        progress: 100,
        description: 'Successfully reconciled DNSRecord',
        lastUpdateTime: '2026-11-21T02:58:25Z',
      },
      lastError: null,
      observedGeneration: 7,
    })
  })

  test('Error has the same text in lastOperation and lastError, with the codes', () => {
    const description = 'Error reconciling DNSRecord: no zone'
    expect(failed('Restore', description, ['ERR_CONFIGURATION_PROBLEM'], now, 3)).toEqual({
      lastOperation: {
        type: 'Restore',
        state: 'Error',
        progress: 50,
        description,
        lastUpdateTime: '2026-11-21T02:58:25Z',
      },
      lastError: {
        description,
        codes: ['ERR_CONFIGURATION_PROBLEM'],
        lastUpdateTime: '2026-11-21T02:58:25Z',
      },
      observedGeneration: 3,
    })
  })

  test('an Error without codes removes the codes of the previous one', () => {
    expect(failed('Create', 'Error: x', [], now, 1).lastError).toMatchObject({ codes: null })
  })

  test.each([
    ['Error deleting DNSRecord', 'boom', 'Error deleting DNSRecord: boom'],
    ['error deleting', 'boom: Again', 'Error deleting: boom: Again'],
    ['', 'x', ': x'],
  ])('the description of %j and %j is %j', (prefix, message, expected) => {
    expect(errorDescription(prefix, message)).toBe(expected)
  })
})

test('the first 16,384 characters of a long message are reported', () => {
  expect(errorDescription('error', 'x'.repeat(1e6))).toHaveLength(16_385)
})

type Row = readonly [KindName, StepOperation, string, string, string, string?]

/**
 * kind, operation, Processing, error prefix, success, prefix of the config validator
 * (docs/contract/lifecycle.md#status-texts).
 */
const rows: readonly Row[] = [
  [
    'Infrastructure',
    'reconcile',
    'Reconciling the infrastructure',
    'Error reconciling infrastructure',
    'Successfully reconciled infrastructure',
    'Error checking infrastructure config',
  ],
  [
    'Infrastructure',
    'delete',
    'Deleting the Infrastructure',
    'Error deleting Infrastructure',
    'Successfully deleted Infrastructure',
  ],
  [
    'Infrastructure',
    'migrate',
    'Starting migration of the Infrastructure',
    'Error migrating Infrastructure',
    'Successfully migrated Infrastructure',
  ],
  [
    'Infrastructure',
    'restore',
    'Restoring the Infrastructure',
    'Error restoring Infrastructure',
    'Successfully restored Infrastructure',
    'Error checking Infrastructure config',
  ],
  [
    'DNSRecord',
    'reconcile',
    'Reconciling the DNSRecord',
    'Error reconciling DNSRecord',
    'Successfully reconciled DNSRecord',
  ],
  [
    'DNSRecord',
    'delete',
    'Deleting the DNSRecord',
    'Error deleting DNSRecord',
    'Successfully deleted DNSRecord',
  ],
  [
    'DNSRecord',
    'migrate',
    'Migrating the DNSRecord',
    'Error migrating DNSRecord',
    'Successfully migrated DNSRecord',
  ],
  [
    'DNSRecord',
    'restore',
    'Restoring the DNSRecord',
    'Error restoring DNSRecord',
    'Successfully restored DNSRecord',
  ],
  [
    'BackupEntry',
    'reconcile',
    'Reconciling the BackupEntry',
    'Error reconciling BackupEntry',
    'Successfully reconciled BackupEntry',
  ],
  [
    'BackupEntry',
    'delete',
    'Deleting the BackupEntry',
    'Error deleting BackupEntry',
    'Successfully deleted BackupEntry',
  ],
  [
    'BackupEntry',
    'migrate',
    'Migrating the BackupEntry',
    'Error migrating BackupEntry',
    'Successfully migrated BackupEntry',
  ],
  [
    'BackupEntry',
    'restore',
    'Restoring the BackupEntry',
    'Error restoring BackupEntry',
    'Successfully restored BackupEntry',
  ],
  [
    'Network',
    'reconcile',
    'Reconciling the Network',
    'Error reconciling Network',
    'Successfully reconciled Network',
  ],
  ['Network', 'delete', 'Deleting the Network', 'Error deleting Network', 'Successfully deleted Network'],
  ['Network', 'migrate', 'Migrating the Network', 'Error migrating Network', 'Successfully migrated Network'],
  ['Network', 'restore', 'Restoring the Network', 'Error restoring Network', 'Successfully restored Network'],
  [
    'ControlPlane',
    'reconcile',
    'Reconciling the ControlPlane',
    'Error reconciling ControlPlane',
    'Successfully reconciled ControlPlane',
  ],
  [
    'ControlPlane',
    'delete',
    'Deleting the ControlPlane',
    'Error deleting ControlPlane',
    'Successfully deleted ControlPlane',
  ],
  [
    'ControlPlane',
    'migrate',
    'Migrating the ControlPlane',
    'Error migrating ControlPlane',
    'Successfully migrated ControlPlane',
  ],
  [
    'ControlPlane',
    'restore',
    'Restoring the ControlPlane',
    'Error restoring ControlPlane',
    'Successfully restored ControlPlane',
  ],
  [
    'ContainerRuntime',
    'reconcile',
    'Reconciling the ContainerRuntime',
    'Error reconciling ContainerRuntime',
    'Successfully reconciled ContainerRuntime',
  ],
  [
    'ContainerRuntime',
    'delete',
    'Deleting the ContainerRuntime',
    'Error deleting ContainerRuntime',
    'Successfully deleted ContainerRuntime',
  ],
  [
    'ContainerRuntime',
    'migrate',
    'Migrating the ContainerRuntime',
    'Error migrating ContainerRuntime',
    'Successfully migrated ContainerRuntime',
  ],
  [
    'ContainerRuntime',
    'restore',
    'Restoring the ContainerRuntime',
    'Error restoring ContainerRuntime',
    'Successfully restored ContainerRuntime',
  ],
  [
    'OperatingSystemConfig',
    'reconcile',
    'Reconciling the OperatingSystemConfig',
    'Error reconciling OperatingSystemConfig',
    'Successfully reconciled OperatingSystemConfig',
  ],
  [
    'OperatingSystemConfig',
    'delete',
    'Deleting the OperatingSystemConfig',
    'Error deleting OperatingSystemConfig',
    'Successfully deleted OperatingSystemConfig',
  ],
  [
    'OperatingSystemConfig',
    'migrate',
    'Migrating the OperatingSystemConfig',
    'Error migrating OperatingSystemConfig',
    'Successfully migrated OperatingSystemConfig',
  ],
  [
    'OperatingSystemConfig',
    'restore',
    'Restoring the OperatingSystemConfig',
    'Error restoring OperatingSystemConfig',
    'Successfully restored OperatingSystemConfig',
  ],
  [
    'BackupBucket',
    'reconcile',
    'Reconciling the backupbucket',
    'Error reconciling backupbucket',
    'Successfully reconciled backupbucket',
  ],
  [
    'BackupBucket',
    'delete',
    'Deleting the BackupBucket',
    'Error deleting BackupBucket',
    'Successfully deleted BackupBucket',
  ],
  [
    'Bastion',
    'reconcile',
    'Reconciling the Bastion',
    'Error reconciling Bastion',
    'Successfully reconciled Bastion',
    'Error checking bastion config',
  ],
  ['Bastion', 'delete', 'Deleting the Bastion', 'Error deleting Bastion', 'Successfully reconciled Bastion'],
  [
    'SelfHostedShootExposure',
    'reconcile',
    'Reconciling the SelfHostedShootExposure',
    'Error reconciling SelfHostedShootExposure',
    'Successfully reconciled SelfHostedShootExposure',
  ],
  [
    'SelfHostedShootExposure',
    'delete',
    'Deleting the SelfHostedShootExposure',
    'Error deleting SelfHostedShootExposure',
    'Successfully reconciled SelfHostedShootExposure',
  ],
  [
    'Worker',
    'reconcile',
    'Reconciling the Worker',
    'Error reconciling Worker',
    'Successfully reconciled Worker',
  ],
  ['Worker', 'delete', 'Deleting the Worker', 'Error deleting Worker', 'Successfully deleted Worker'],
  [
    'Worker',
    'migrate',
    'Starting migration of the Worker',
    'Error migrating Worker',
    'Successfully migrated Worker',
  ],
  ['Worker', 'restore', 'Restoring the Worker', 'Error restoring Worker', 'Successfully reconciled Worker'],
  [
    'Extension',
    'reconcile',
    'Reconciling the Extension',
    'Error reconciling Extension',
    'Successfully reconciled Extension',
  ],
  [
    'Extension',
    'delete',
    'Deleting the Extension',
    'Error deleting the Extension',
    'Successfully deleted the Extension',
  ],
  [
    'Extension',
    'migrate',
    'Migrate Extension resource.',
    'Error migrating Extension resource',
    'Successfully migrated Extension resource',
  ],
  [
    'Extension',
    'restore',
    'Restoring Extension resource',
    'Unable to restore Extension resource',
    'Successfully restored Extension resource',
  ],
]

/** Kinds that never migrate (docs/contract/lifecycle.md#dispatch). */
const unmigratable: readonly KindName[] = ['BackupBucket', 'Bastion', 'SelfHostedShootExposure']

describe('the texts of the status', () => {
  const named = rows.map(row => ({ name: `${row[0]}, ${row[1]}`, row }))

  test.each(named)(
    '$name',
    ({ row: [kind, operation, processing, errorPrefix, success, validationErrorPrefix] }) => {
      expect(operationTexts(kind, operation)).toEqual({
        processing,
        errorPrefix,
        success,
        ...(validationErrorPrefix === undefined ? {} : { validationErrorPrefix }),
      })
    },
  )

  test('no operation of any kind lacks a text', () => {
    const wanted = kindNames.flatMap(kind =>
      stepOperations
        .filter(
          operation => !unmigratable.includes(kind) || operation === 'reconcile' || operation === 'delete',
        )
        .map(operation => `${kind} ${operation}`),
    )
    expect(rows.map(([kind, operation]) => `${kind} ${operation}`).sort()).toEqual(wanted.sort())
  })
})
