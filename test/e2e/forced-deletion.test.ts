import { afterAll, beforeAll, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { newAws, startTestSeed, type TestSeed } from './harness.ts'
import { accessKey, namespace, secrets } from './shoot.ts'

let seed: TestSeed
beforeAll(async () => {
  seed = await startTestSeed({ kinds: ['DNSRecord'], aws: newAws({}) })
  for (const name of ['usable', 'lost', 'refused']) await seed.createSecret(name, accessKeyOf(name))
  await Promise.all(['usable', 'lost', 'refused'].map(name => seed.create(name, { secret: name })))
  await Promise.all(['usable', 'lost', 'refused'].map(name => seed.untilReady(name)))
  const confirmed = { metadata: { annotations: { [annotations.forceDeletionConfirmation]: 'true' } } }
  await seed.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot: confirmed } })
})
afterAll(() => seed.close())

const accessKeyOf = (name: string) =>
  name === 'refused' ? { ...accessKey, AWS_ACCESS_KEY_ID: 'AKIAREFUSED' } : accessKey

const linesOf = (name: string) => seed.records().filter(line => line.includes(`A ${name}.`))

test('a forced deletion removes the record if its Secret is usable', async () => {
  expect(linesOf('usable')).toHaveLength(1)
  await seed.remove('usable')
  await seed.untilGone('usable')
  expect(linesOf('usable')).toEqual([])
})

test('a forced deletion completes without the Secret, and retains the record', async () => {
  await seed.kubernetes.delete(secrets, { name: 'lost', namespace })
  await seed.remove('lost')
  await seed.untilGone('lost')
  expect(linesOf('lost')).toHaveLength(1)
})

test('a forced deletion completes with refused credentials, and retains the record', async () => {
  seed.aws.faults.add({
    accessKeyId: 'AKIAREFUSED',
    times: null,
    effect: { kind: 'error', code: 'InvalidClientTokenId', status: 403, message: 'The key is not valid' },
  })
  await seed.remove('refused')
  await seed.untilGone('refused')
  expect(linesOf('refused')).toHaveLength(1)
})
