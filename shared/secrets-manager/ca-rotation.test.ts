import { describe, expect, test } from 'vitest'
import type { Cluster } from '../contract/objects.ts'
import { caRotationOf } from './ca-rotation.ts'

const clusterWith = (status: unknown) =>
  ({
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'shoot--foo--bar' },
    spec: { cloudProfile: {}, shoot: { status } },
  }) as Cluster
const rotationIn = (certificateAuthorities: unknown) =>
  caRotationOf(clusterWith({ credentials: { rotation: { certificateAuthorities } } }))

const lastInitiationTime = '2026-03-01T10:00:00Z'
const startedAt = 1_772_359_200_000

describe('the rotation of a shoot', () => {
  test.each([
    ['Preparing', false],
    ['PreparingWithoutWorkersRollout', false],
    ['WaitingForWorkersRollout', false],
    ['Prepared', false],
    ['Completing', true],
    ['Completed', true],
    [undefined, false],
    ['Tomorrow', false],
  ])('in phase %s ignores the old CA: %s', (phase, ignoresOld) => {
    expect(rotationIn({ lastInitiationTime, phase })).toEqual({ startedAt, ignoresOld })
  })

  test.each([
    ['no status', undefined],
    ['no credentials', {}],
    ['no rotation of CAs', { credentials: { rotation: null } }],
    ['no time', { credentials: { rotation: { certificateAuthorities: { phase: 'Prepared' } } } }],
    [
      'no readable time',
      { credentials: { rotation: { certificateAuthorities: { lastInitiationTime: 'now' } } } },
    ],
    ['another form', { credentials: { rotation: 'yes' } }],
  ])('is undefined with %s', (_, status) => {
    expect(caRotationOf(clusterWith(status))).toBeUndefined()
  })
})
