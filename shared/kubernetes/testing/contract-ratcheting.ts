import { expect, test } from 'vitest'
import { type GroupVersionResource, KubernetesError, type KubernetesObject } from '../port.ts'
import type { ContractContext } from './contract-fixtures.ts'
import { definitions, group } from './contract-fixtures.ts'

const dials: GroupVersionResource = { group, version: 'v1', plural: 'dials', namespaced: true }

const definition = (most: number): KubernetesObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `dials.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'dials', kind: 'Dial' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  one: { type: 'integer', maximum: most },
                  two: { type: 'integer', maximum: most },
                  note: {
                    type: 'string',
                    'x-kubernetes-validations': [{ rule: `size(self) <= ${most}`, message: 'is too long' }],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
})

/** Existing objects under a stricter schema (validation ratcheting, KEP-4008). */
export const ratchetingContract = (context: ContractContext): void => {
  test('a change is not refused because of unchanged fields', async () => {
    const { kubernetes, passTime } = context.subject()
    const namespace = await context.namespace()
    const create = (name: string) =>
      kubernetes.create(dials, {
        apiVersion: `${group}/v1`,
        kind: 'Dial',
        metadata: { name, namespace },
        spec: { one: 9, two: 9, note: 'nine char' },
      })
    /** A CRD, or its new form, is not served at once. */
    const until = async (attempt: () => Promise<boolean>) => {
      for (let tries = 0; tries < 100; tries++) {
        if (await attempt()) return
        await passTime(100)
      }
      throw new Error('the definition is not served')
    }
    const answerTo = (request: Promise<unknown>) =>
      request.then(
        () => 200,
        (error: unknown) => (error instanceof KubernetesError ? error.status : 0),
      )

    await kubernetes.create(definitions, definition(9))
    try {
      await until(async () => (await answerTo(create('old'))) === 200)
      await kubernetes.patch(definitions, { name: `dials.${group}` }, { spec: definition(5).spec })
      await until(async () => (await answerTo(create(`new-${crypto.randomUUID()}`))) === 422)
      const key = { namespace, name: 'old' }
      const change = (spec: object) => answerTo(kubernetes.patch(dials, key, { spec }))
      expect(await answerTo(kubernetes.patch(dials, key, { metadata: { labels: { a: 'b' } } }))).toBe(200)
      expect(await change({ one: 4 })).toBe(200)
      expect(await change({ two: 8 })).toBe(422)
      expect(await change({ note: 'eight ch' })).toBe(422)
      expect(await change({ note: 'four' })).toBe(200)
      expect(await change({ note: 'nine char' })).toBe(422)
    } finally {
      await kubernetes.delete(definitions, { name: `dials.${group}` })
    }
  })
}
