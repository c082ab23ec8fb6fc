import { expect, test } from 'vitest'
import { webhookPermissions } from '../admission.ts'
import { tinyWebhook } from '../testing/tiny-webhook.ts'

const of = (plural: string) => ({ group: '', version: 'v1', plural, namespaced: true })

test('a lookup of several functions is permitted once, sorted and with all reasons', () => {
  expect(
    webhookPermissions([
      tinyWebhook({ permissions: [{ resource: of('secrets'), verbs: ['list'], why: 'b' }] }),
      tinyWebhook({ permissions: [{ resource: of('secrets'), verbs: ['get'], why: 'a' }] }),
      tinyWebhook({ permissions: [{ resource: of('pods'), verbs: ['get'], why: 'c' }] }),
    ]),
  ).toEqual([
    { resource: of('pods'), verbs: ['get'], reasons: ['c'] },
    { resource: of('secrets'), verbs: ['get', 'list'], reasons: ['b', 'a'] },
  ])
})

test('a lookup in a shoot is permitted in the shoot', () => {
  const inShoot = tinyWebhook({
    target: 'shoot',
    permissions: [{ resource: of('services'), verbs: ['get'], why: 'a' }],
  })
  expect(webhookPermissions([inShoot])).toEqual([])
})
