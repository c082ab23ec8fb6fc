import { expect, test } from 'vitest'
import { webhookPermissions } from '../admission.ts'
import { tinyWebhook } from '../testing/tiny-webhook.ts'

const of = (plural: string) => ({ group: '', version: 'v1', plural, namespaced: true })

test('what several look up is permitted once, with all reasons, and sorted', () => {
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

test('what is looked up in a shoot is permitted there', () => {
  const inShoot = tinyWebhook({
    target: 'shoot',
    permissions: [{ resource: of('services'), verbs: ['get'], why: 'a' }],
  })
  expect(webhookPermissions([inShoot])).toEqual([])
})
