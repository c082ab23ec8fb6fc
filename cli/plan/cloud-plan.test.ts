import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { defineFunction, type FunctionOptions } from '../../shared/runtime/define-function.ts'
import type { FunctionPlan } from '../../shared/runtime/runtime.ts'
import { formatPlan, planGraph } from '../../terraform-free-infra/engine/engine.ts'
import { type ToyCloud, toyGraph } from '../../terraform-free-infra/engine/testing/example.ts'
import { planFiles } from './testing/plan-run.ts'

const namespace = 'shoot--p--s'
const objects = [
  {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: {} },
  },
  {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Infrastructure',
    metadata: { name: 'rose', namespace },
    spec: { type: 'toy', region: 'here', secretRef: { name: 'toy', namespace } },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'toy', namespace },
    data: { cidr: btoa('10.9.0.0/24') },
  },
]
const refused = async (): Promise<never> => {
  throw new Error('a plan only reads')
}
/** A cloud with one network that has another MTU. */
const cloud: ToyCloud = {
  networks: async () => [{ id: 'n-1', name: 'a', cidr: '10.0.0.0/24', mtu: 1500 }],
  createNetwork: refused,
  setMtu: refused,
  deleteNetwork: refused,
}
const toyWith = (
  planOf: NonNullable<
    FunctionOptions<'Infrastructure', z.ZodObject<Record<never, never>>, unknown>['planOf']
  >,
) =>
  defineFunction({
    name: 'toy-infrastructure',
    kind: 'Infrastructure',
    type: 'toy',
    create: () => ({ reconcile: refused, remove: refused }),
    planOf,
  })
const engine = toyWith(({ signal, clock, destroy }) =>
  planGraph({ graph: toyGraph(['a', 'b']), cloud, state: { 'network a': 'n-1' }, signal, clock, destroy }),
)

let files: Awaited<ReturnType<typeof planFiles>>
beforeAll(async () => {
  files = await planFiles()
})
afterAll(() => files.remove())

test('trellis plan prints the plan of the engine that planOf returns', async () => {
  let made: FunctionPlan | undefined
  const noted = toyWith(async (...given) => {
    made = await engine.planOf?.(...given)
    return made ?? { actions: [] }
  })
  const { text, differs } = await files.planOf(objects, { functions: [noted] })
  expect(differs).toBe(true)
  expect(text).toContain('~ update network a\n    mtu: 1500 → 9000\n')
  expect(text).toContain('+ create network b\n    cidr: 10.0.1.0/24\n    mtu: 9000\n')
  expect(text).toContain(formatPlan(made as Awaited<ReturnType<typeof planGraph>>))
})

test('a plan ends with its time limit, also if a function never ends, and prints nothing later', async () => {
  const limit = new AbortController()
  const later = Promise.withResolvers<FunctionPlan>()
  const functions = [
    toyWith(() => {
      limit.abort(new Error('the time is over'))
      return later.promise
    }),
  ]
  await expect(files.planOf(objects, { functions, signal: limit.signal })).rejects.toThrow('the time is over')
  await expect(files.planOf(objects, { functions, signal: limit.signal })).rejects.toThrow('the time is over')
  later.resolve({ actions: [] })
})

test('a plan without an engine has its sentences, as text and as JSON', async () => {
  const functions = [
    toyWith(async ({ secret, destroy }) => ({
      actions: [
        { kind: 'create', sentence: `create network ${secret?.data.cidr}, ${destroy ? 'gone' : 'there'}` },
      ],
    })),
  ]
  const { text } = await files.planOf(objects, { functions, delete: true })
  expect(text).toContain(
    '+ create network 10.9.0.0/24, gone\n\nPlan: 1 to create, 0 to change, 0 to delete\n',
  )
  const json = await files.planOf(objects, { functions, output: 'json' })
  expect(JSON.parse(json.text)).toEqual({
    object: { kind: 'Infrastructure', namespace, name: 'rose' },
    destroying: false,
    actions: [{ kind: 'create', sentence: 'create network 10.9.0.0/24, there', after: [], changes: [] }],
  })
  const none = await files.planOf(objects, { functions: [toyWith(async () => ({ actions: [] }))] })
  expect(none).toMatchObject({ differs: false, text: expect.stringContaining('Nothing to do.') })
})

test('planOf reads the API server with the permissions of the function only', async () => {
  const pods = { group: '', version: 'v1', plural: 'pods', namespaced: true }
  const functions = [
    toyWith(async ({ kubernetes }) => {
      await kubernetes.list(pods)
      return { actions: [] }
    }),
  ]
  await expect(files.planOf(objects, { functions })).rejects.toThrow('pods')
})
