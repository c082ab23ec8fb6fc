import { expect, test } from 'vitest'
import { isAtLeast, readVersion } from '../../../../shared/control-plane/components/components.ts'
import { clusterOf } from '../testing/control-plane.ts'

test.each([
  ['1.33.9', false],
  ['1.34.0', true],
  ['1.34.0-rc.1', true],
  ['v1.40.1', true],
  ['2.0.0', true],
])('%s is at least 1.34: %s', (version, isIt) => {
  expect(isAtLeast(readVersion(clusterOf({ version })), 34)).toBe(isIt)
})
