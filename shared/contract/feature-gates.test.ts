import { expect, test } from 'vitest'
import { featureGateProblem } from './feature-gates.ts'

test.each([
  ['AnyVolumeDataSource', 33],
  ['AllAlpha', 32],
  ['MutatingAdmissionPolicy', 32],
  ['SidecarContainers', 36],
])('%s is a gate of 1.%i', (gate, minor) => {
  expect(featureGateProblem(gate, minor)).toBeUndefined()
})

test('a gate that there is not, or not yet, is told', () => {
  expect(featureGateProblem('Foo', 33)).toBe(
    'expected a feature gate of Kubernetes 1.33, and there is none of this name',
  )
  expect(featureGateProblem('toString', 33)).toBeDefined()
  expect(featureGateProblem('DetectCacheInconsistency', 33)).toBe(
    'expected a feature gate of Kubernetes 1.33, and this one is of 1.34',
  )
  expect(featureGateProblem('DetectCacheInconsistency', 34)).toBeUndefined()
})

test('of a version that is newer than all that is known here, every gate may be there', () => {
  expect(featureGateProblem('Foo', 99)).toBeUndefined()
})
