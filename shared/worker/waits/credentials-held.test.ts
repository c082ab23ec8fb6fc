import { expect, test } from 'vitest'
import { credentialsHeld } from './credentials-held.ts'

const secretWith = (...finalizers: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'cloudprovider', finalizers },
})
const both = [
  'machine.sapcloud.io/machine-controller-manager',
  'machine.sapcloud.io/machine-controller',
] as const
const waiting = {
  kind: 'waiting',
  message: 'machine class credentials secret has not yet been acquired or released',
}

test.each(both)('a Secret with the finalizer %s is held', finalizer => {
  const secret = secretWith('other', finalizer)
  expect(credentialsHeld('acquired', secret, 'cloudprovider')).toEqual({ kind: 'over' })
  expect(credentialsHeld('released', secret, 'cloudprovider')).toMatchObject(waiting)
})

test.each([[[]], [['machine.sapcloud.io/other']]])(
  'a Secret with the finalizers %j is not held',
  finalizers => {
    const secret = secretWith(...finalizers)
    expect(credentialsHeld('acquired', secret, 'cloudprovider')).toMatchObject(waiting)
    expect(credentialsHeld('released', secret, 'cloudprovider')).toEqual({ kind: 'over' })
  },
)

test.each(['acquired', 'released'] as const)('a missing Secret is never %s', state => {
  expect(credentialsHeld(state, undefined, 'cloudprovider')).toEqual({
    kind: 'failed',
    error: new Error('could not get the secret referenced by worker: secrets "cloudprovider" not found'),
  })
})
