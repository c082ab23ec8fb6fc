import { describe, expect, test } from 'vitest'
import { sendReview } from '../../../../sandbox/reviews/reviews.ts'
import { type Otherwise, valueAt } from '../../../../shared/webhooks/admission/testing/play-reviews.ts'
import { definition as mutator } from '../mutator/webhook.ts'
import { mutate, shootWith } from '../testing/garden.ts'

const overlay = 'spec.networking.providerConfig.overlay'
const without = { enableOverlayAsDefaultForCalico: 'false', enableOverlayAsDefaultForCilium: 'false' }

describe('the overlay of a new shoot', () => {
  test.each<[string, Readonly<Record<string, string>>, object]>([
    ['calico', {}, { enabled: true }],
    ['cilium', {}, { enabled: true }],
    ['other', {}, { enabled: false, createPodRoutes: true }],
    ['calico', without, { enabled: false, createPodRoutes: true }],
    ['cilium', without, { enabled: false, createPodRoutes: true }],
  ])('with %s and the settings %j', async (type, settings, expected) => {
    const object = shootWith({ 'spec.networking.type': type })
    const answered = await sendReview(mutator, { operation: 'CREATE', object }, { settings })
    expect(valueAt(answered.object, overlay)).toEqual(expected)
  })

  test.each<[object | string | undefined, object | string | undefined]>([
    [{ enabled: false }, { enabled: false, createPodRoutes: true }],
    [
      { enabled: false, createPodRoutes: false },
      { enabled: false, createPodRoutes: false },
    ],
    [
      { enabled: true, mode: 'x' },
      { enabled: true, mode: 'x' },
    ],
    [{}, { enabled: true }],
    ['none', 'none'],
  ])('%j becomes %j, and never ends in a panic', async (given, expected) => {
    const { allowed, object } = await mutate(shootWith({ [overlay]: given }))
    expect([allowed, valueAt(object, overlay)]).toEqual([true, expected])
  })
})

test('an update without an overlay takes the old one, and sets none of its own', async () => {
  const after = shootWith({ 'spec.purpose': 'testing' })
  const old = shootWith({ [overlay]: { enabled: false, more: 1 } })
  expect(valueAt((await mutate(after, { old })).object, overlay)).toEqual({
    enabled: false,
    more: 1,
    createPodRoutes: true,
  })
  expect(valueAt((await mutate(after, { old: shootWith() })).object, overlay)).toBeUndefined()
})

test('the DNS cache of nodes does not use TCP unless the shoot says so', async () => {
  const path = 'spec.systemComponents.nodeLocalDNS'
  const forced = async (value: object) => valueAt((await mutate(shootWith({ [path]: value }))).object, path)
  expect(await forced({ enabled: true })).toEqual({ enabled: true, forceTCPToUpstreamDNS: false })
  expect(await forced({ enabled: true, forceTCPToUpstreamDNS: true })).toMatchObject({
    forceTCPToUpstreamDNS: true,
  })
  expect(await forced({ enabled: false })).toEqual({ enabled: false })
})

test.each<[string, Otherwise]>([
  ['without workers', { 'spec.provider.workers': [] }],
  ['in deletion', { 'metadata.deletionTimestamp': '2026-01-01T00:00:00Z' }],
  [
    'for which another seed was chosen',
    {
      'spec.seedName': 'b',
      'status.seedName': 'a',
      'status.lastOperation': { type: 'Reconcile', state: 'Succeeded' },
    },
  ],
])('a shoot %s is not changed', async (_, other) => {
  const shoot = shootWith(other)
  expect((await mutate(shoot)).object).toEqual(shoot)
})
