import { expect, test } from 'vitest'
import { annotations } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { isNewSuccess } from './watch-successes.ts'

const bucket = (state: string, lastUpdateTime: string, request?: string): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupBucket',
  metadata: {
    name: 'backups',
    generation: 1,
    ...(request !== undefined && { annotations: { [annotations.operation]: request } }),
  },
  status: { observedGeneration: 1, lastOperation: { type: 'Reconcile', state, lastUpdateTime } },
})

test('a success is new after progress and after an earlier success', () => {
  expect(isNewSuccess(bucket('Succeeded', '2026-01-01T00:01:00Z'), undefined)).toBe(true)
  const former = bucket('Succeeded', '2026-01-01T00:00:00Z')
  expect(isNewSuccess(bucket('Succeeded', '2026-01-01T00:01:00Z'), former)).toBe(true)
  const processing = bucket('Processing', '2026-01-01T00:01:00Z')
  expect(isNewSuccess(bucket('Succeeded', '2026-01-01T00:01:00Z'), processing)).toBe(true)
  expect(isNewSuccess(processing, former)).toBe(false)
})

test('a claim does not report the former success again', () => {
  const requested = bucket('Succeeded', '2026-01-01T00:00:00Z', 'reconcile')
  expect(isNewSuccess(bucket('Succeeded', '2026-01-01T00:00:00Z'), requested)).toBe(false)
})
