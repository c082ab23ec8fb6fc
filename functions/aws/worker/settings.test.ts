import { expect, test } from 'vitest'
import { parseSettings } from '../../../shared/runtime/runtime.ts'
import { definition } from './function.ts'

test('a restore reads no ShootState by default', () => {
  expect(parseSettings(definition.settings, { env: {} })).toEqual({ gardenKubeconfig: '' })
})

test('a restore uses the kubeconfig that gardenAccess mounts', () => {
  expect(parseSettings(definition.settings, { env: { GARDEN_KUBECONFIG: '/garden/kubeconfig' } })).toEqual({
    gardenKubeconfig: '/garden/kubeconfig',
  })
})
