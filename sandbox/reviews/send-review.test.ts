import { describe, expect, test } from 'vitest'
import { secrets } from '../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { defineWebhook } from '../../shared/webhooks/admission/admission.ts'
import { tinyWebhook } from '../../shared/webhooks/admission/testing/tiny-webhook.ts'
import { lookupIn, sendReview, sendReviewAgain } from './reviews.ts'

const object: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b' },
  data: { unknown: 'field' },
}
const created = { operation: 'CREATE', object } as const
const secret: KubernetesObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'b' } }

/** Allows a ConfigMap if its namespace has the Secret `s`. */
const withLookup = (verbs: readonly ('get' | 'list')[]) =>
  defineWebhook({
    name: 'tiny',
    component: 'provider-tiny',
    action: 'validate',
    target: 'seed',
    resources: [{ group: '', versions: ['v1'], plural: 'configmaps', kind: 'ConfigMap' }],
    permissions: [{ resource: secrets, verbs, why: 'A test.' }],
    review: async ({ namespace = '' }, lookup) =>
      (await lookup.get(secrets, { namespace, name: 's' })) === undefined
        ? { refused: { problems: ['no Secret'] } }
        : { warnings: ['found'] },
  })

describe('a review that a test sends', () => {
  test('returns the patch and the object after it, and does not change the given object', async () => {
    const before = structuredClone(object)
    const { allowed, code, patch, object: after } = await sendReview(tinyWebhook(), created)
    expect({ allowed, code }).toEqual({ allowed: true, code: 200 })
    expect(patch).toEqual([{ op: 'add', path: '/metadata/labels', value: { colour: 'green' } }])
    expect(after).toEqual({ ...object, metadata: { ...object.metadata, labels: { colour: 'green' } } })
    expect(object).toEqual(before)
  })

  test('reaches the webhook with the given settings, also if no selector matches', async () => {
    const webhook = tinyWebhook({ objectSelector: { matchLabels: { some: 'other' } } })
    const { object: after } = await sendReview(webhook, created, { settings: { colour: 'red' } })
    expect(after.metadata.labels).toEqual({ colour: 'red' })
  })

  test('finds the given objects, and no others', async () => {
    const webhook = withLookup(['get'])
    expect(await sendReview(webhook, created, { objects: [secret] })).toMatchObject({
      allowed: true,
      warnings: ['found'],
    })
    expect(await sendReview(webhook, created)).toMatchObject({
      allowed: false,
      code: 403,
      message: 'no Secret',
    })
  })

  test('finds objects by any label selector', async () => {
    const labelled = (name: string, labels: Readonly<Record<string, string>>): KubernetesObject => ({
      ...secret,
      metadata: { ...secret.metadata, name, labels },
    })
    const { list } = lookupIn([labelled('one', { a: 'x' }), labelled('two', { a: 'y' }), secret])
    const names = async (labelSelector?: string) =>
      (await list(secrets, { ...(labelSelector !== undefined && { labelSelector }) })).items.map(
        ({ metadata }) => metadata.name,
      )
    expect(await names('a=x')).toEqual(['one'])
    expect(await names('a in (x, y)')).toEqual(['one', 'two'])
    expect(await names('!a')).toEqual(['s'])
    expect(await names()).toEqual(['one', 'two', 's'])
  })

  test('refuses a lookup without permission', async () => {
    const answer = await sendReview(withLookup(['list']), created, { objects: [secret] })
    expect(answer).toMatchObject({ allowed: false, code: 500, object })
  })

  test('shows that a webhook changes its own result', async () => {
    const counting = tinyWebhook({
      review: ({ object: { metadata, ...rest } }) => ({
        changed: { ...rest, metadata: { ...metadata, labels: { n: `${metadata.labels?.n ?? ''}1` } } },
      }),
    })
    const again = async (webhook: typeof counting) =>
      (await sendReviewAgain(webhook, created, await sendReview(webhook, created))).patch
    expect(await again(tinyWebhook())).toEqual([])
    expect(await again(counting)).toHaveLength(1)
  })

  test('is refused with 400 if no API server sends it', async () => {
    const answers = [
      await sendReview(tinyWebhook(), { operation: 'UPDATE', object }),
      await sendReview(tinyWebhook(), { operation: 'CREATE', object: secret }),
    ]
    expect(answers).toMatchObject([
      { allowed: false, code: 400, message: expect.stringContaining('oldObject') },
      { allowed: false, code: 400, message: expect.stringContaining('Kind=Secret') },
    ])
  })

  test('rejects if the definition refuses the settings', async () => {
    await expect(sendReview(tinyWebhook(), created, { settings: { colour: 1 } })).rejects.toThrow('colour')
  })
})
