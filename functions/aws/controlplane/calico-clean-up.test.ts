import { describe, expect, test } from 'vitest'
import {
  calicoShootCleanUp,
  withoutCalicoConditions,
} from '../../../shared/control-plane/components/components.ts'
import { clusterOf, controlPlaneOf } from './testing/control-plane.ts'

const annotation = 'acme.example.com/calico-cleanup-completed'

describe('after a ControlPlane is reconciled', () => {
  const asleep = { wanted: true, reached: true }
  test.each([
    ['without an overlay', {}, undefined, false, 'clean up'],
    ['without an overlay, and done', {}, 'true', false, 'nothing'],
    ['without an overlay, and not done', {}, 'false', false, 'clean up'],
    ['while it sleeps', { hibernation: asleep }, undefined, false, 'nothing'],
    ['on its way to sleep', { hibernation: { wanted: true, reached: false } }, undefined, false, 'nothing'],
    ['while it wakes up', { hibernation: { wanted: false, reached: true } }, undefined, false, 'nothing'],
    ['awake', { hibernation: { wanted: false, reached: false } }, undefined, false, 'clean up'],
    ['with an overlay', {}, undefined, true, 'nothing'],
    ['with an overlay again', {}, 'true', true, 'forget'],
    ['with an overlay again, asleep', { hibernation: asleep }, 'true', true, 'forget'],
    ['with another network', { networking: { type: 'cilium' } }, undefined, false, 'clean up'],
  ])('%s', (_, asked, completed, hasOverlay, expected) => {
    const annotations = completed === undefined ? {} : { [annotation]: completed }
    const object = controlPlaneOf({ annotations })
    expect(calicoShootCleanUp(annotation, object, clusterOf(asked), { hasOverlay })).toMatchObject({
      annotation,
      due: expected,
    })
  })
})

describe('a node', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady' }
  const routes = { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated' }

  test.each(['CalicoIsUp', 'CalicoIsDown'])('loses only its condition of reason %s', reason => {
    const left = { type: 'NetworkUnavailable', status: 'False', reason }
    expect(withoutCalicoConditions([ready, left, routes])).toEqual([ready, routes])
  })

  test.each([
    ['only the condition of the routes', [ready, routes]],
    ['a condition of another type', [{ type: 'Ready', status: 'False', reason: 'CalicoIsDown' }]],
    ['no condition', []],
    ['undefined conditions', undefined],
  ])('with %s does not change', (_, conditions) => {
    expect(withoutCalicoConditions(conditions)).toBeUndefined()
  })
})
