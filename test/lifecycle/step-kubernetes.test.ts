import { expect, test } from 'vitest'
import { done, type StepContext, secrets } from '../../shared/lifecycle/lifecycle.ts'
import { harness } from './harness.ts'
import { shootNamespace } from './sample-objects.ts'

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'made-by-the-step', namespace: shootNamespace },
}
const key = secret.metadata

test('an actuator manages other objects beside its own', async () => {
  const { create, step, kubernetes, live } = await harness('BackupEntry', {
    actuator: {
      reconcile: async ({ kubernetes: own }: StepContext) => {
        await own.create(secrets, secret)
        await own.patch(secrets, key, { metadata: { labels: { of: 'the-step' } } })
        const { items } = await own.list(secrets, { namespace: shootNamespace, labelSelector: 'of=the-step' })
        return done({ state: { listed: items.length } })
      },
    },
  })
  await create()
  await step()
  expect((await kubernetes.get(secrets, key))?.metadata.labels).toEqual({ of: 'the-step' })
  expect((await live()).status).toMatchObject({
    lastOperation: { state: 'Succeeded' },
    state: { listed: 1 },
  })
})

test('an actuator writes nothing more once its step is over', async () => {
  const writes: Promise<unknown>[] = []
  let own: StepContext['kubernetes'] | undefined
  const { create, step, kubernetes } = await harness('BackupEntry', {
    actuator: {
      reconcile: async (context: StepContext) => {
        own = context.kubernetes
        return done()
      },
    },
  })
  await kubernetes.create(secrets, secret)
  await create()
  await step()
  writes.push(own?.create(secrets, secret) ?? Promise.resolve())
  writes.push(own?.patch(secrets, key, { metadata: { labels: { late: 'yes' } } }) ?? Promise.resolve())
  writes.push(own?.delete(secrets, key) ?? Promise.resolve())
  const outcomes = await Promise.allSettled(writes)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect((await kubernetes.get(secrets, key))?.metadata.labels).toBeUndefined()
})

test('an actuator gets no more list results once its step has exceeded its time', async () => {
  let listed: Promise<unknown> | undefined
  const { create, step, clock } = await harness('BackupEntry', {
    actuator: {
      reconcile: ({ kubernetes: own, signal }: StepContext) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            listed = own.list(secrets, { namespace: shootNamespace }).catch((error: unknown) => error)
            reject(signal.reason)
          }),
        ),
    },
  })
  await create()
  const running = step()
  await clock.advance(60_000)
  await running
  await expect(listed).resolves.toMatchObject({ name: 'StepTimeout' })
})
