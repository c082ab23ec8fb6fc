import { expect, test } from 'vitest'
import { featureGateProblem } from './feature-gates.ts'

test.each([
  ['AnyVolumeDataSource', 33],
  ['AllAlpha', 32],
  ['MutatingAdmissionPolicy', 31],
  ['MutatingAdmissionPolicy', 32],
  ['WatchListClient', 34],
  ['CloudDualStackNodeIPs', 31],
  ['JobPodFailurePolicy', 32],
  ['SidecarContainers', 36],
])('%s is a gate of 1.%i', (gate, minor) => {
  expect(featureGateProblem(gate, minor)).toBeUndefined()
})

test('an unknown, future or removed gate is reported', () => {
  expect(featureGateProblem('JobPodFailurePolicy', 33)).toBe(
    'expected a feature gate of Kubernetes 1.33, found one that was removed in 1.33',
  )
  expect(featureGateProblem('Foo', 33)).toBe(
    'expected a feature gate of Kubernetes 1.33, found an unknown name',
  )
  expect(featureGateProblem('toString', 33)).toBeDefined()
  expect(featureGateProblem('DetectCacheInconsistency', 33)).toBe(
    'expected a feature gate of Kubernetes 1.33, found one that exists since 1.34',
  )
  expect(featureGateProblem('DetectCacheInconsistency', 34)).toBeUndefined()
})

test('every gate is accepted for a version newer than all known ones', () => {
  expect(featureGateProblem('Foo', 99)).toBeUndefined()
})
