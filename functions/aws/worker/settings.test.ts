import { expect, test } from 'vitest'
import { parseSettings } from '../../../shared/runtime/runtime.ts'
import { workerSettings } from './settings.ts'

test('a restore reads no ShootState by default', () => {
  expect(parseSettings(workerSettings, { env: {} })).toEqual({ gardenKubeconfig: '' })
})

test('a restore uses the kubeconfig that gardenAccess mounts', () => {
  expect(parseSettings(workerSettings, { env: { GARDEN_KUBECONFIG: '/garden/kubeconfig' } })).toEqual({
    gardenKubeconfig: '/garden/kubeconfig',
  })
})
