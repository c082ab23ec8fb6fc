import { expect, test } from 'vitest'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { type RecordedCall, recordedAccountOf, recordedCalls } from '../../../test/recorded/recorded.ts'
import { planBackupBucket } from './plan.ts'
import { newAccount } from './testing/account.ts'
import { bucketOf, stepsOver } from './testing/steps.ts'

const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=00'

const play = async (url: string, { http = '', body }: RecordedCall): Promise<void> => {
  const [method = 'GET', path = '/'] = http.split(' ')
  await fetch(url + path, { method, headers: { authorization }, ...(body === undefined ? {} : { body }) })
}

/** An account with the bucket that the calls of the Go extension have made; all of them, or the first so many. */
const takenOver = async (count = Number.POSITIVE_INFINITY) => {
  const account = newAccount()
  const server = await account.aws.listen()
  try {
    const { create = [] } = recordedCalls('backupbucket/plain')
    for (const call of create.slice(0, count)) await play(server.url, call)
  } finally {
    await server.close()
  }
  account.aws.calls.clear()
  return { ...account, ...stepsOver(account.aws.requestHandler, account.clock) }
}

const recorded = recordedAccountOf('backupbucket/plain') as {
  readonly get_bucket_policy: { readonly Statement: readonly object[] }
}

test('a bucket of the Go extension gets the policy that it was meant to have, and nothing else', async () => {
  const { step, settings, actions } = await takenOver()
  const before = await settings()
  expect(before.policy).toEqual(recorded.get_bucket_policy)
  await step('reconcile')
  expect(actions().filter(action => !action.startsWith('Get'))).toEqual(['PutBucketPolicy'])
  const { policy, ...after } = await settings()
  const { policy: _, ...expected } = before
  expect(after).toEqual(expected)
  expect(policy.Statement).toHaveLength(2)
})

test('the plan of that is one change', async () => {
  const { aws, clock, actions } = await takenOver()
  const { actions: planned } = await planBackupBucket({
    object: bucketOf(),
    secret: {
      name: 'backupprovider',
      namespace: 'garden',
      labels: {},
      data: { accessKeyID: 'AKIATEST', secretAccessKey: 'secret' },
    },
    connection: { requestHandler: aws.requestHandler },
    clock,
    signal: new AbortController().signal,
  })
  expect(planned.map(({ sentence }) => sentence)).toEqual([
    'deny requests to bucket cloud--aws--plain below TLS 1.2',
  ])
  expect(actions().every(action => action.startsWith('Get'))).toBe(true)
})

test.each([2, 3, 4, 5])(
  'a bucket for which the Go extension made only %i of its calls is completed',
  async count => {
    const { step, settings } = await takenOver(count)
    await step('reconcile')
    const whole = await (await takenOver()).settings()
    const { policy, lifecycle, ...made } = await settings()
    expect(made).toMatchObject({ encryption: whole.encryption, access: whole.access })
    expect(lifecycle).toMatchObject([{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } }])
    expect(policy.Statement).toHaveLength(2)
  },
)

test('the calls are no more than the Go extension’s', async () => {
  const { create = [], delete: remove = [] } = recordedCalls('backupbucket/plain')
  const { aws, clock, actions } = newAccount()
  const { step } = stepsOver(aws.requestHandler, clock)
  await step('reconcile')
  expect(actions().length).toBeLessThanOrEqual(create.length)
  aws.calls.clear()
  await step('remove')
  expect(actions().length).toBeLessThanOrEqual(remove.length)
})

test('the function adds to the status only a state, which the Go extension neither reads nor writes', async () => {
  const { aws, clock } = newAccount()
  const { step, object } = stepsOver(aws.requestHandler, clock)
  await step('reconcile')
  const status: BackupBucket['status'] = object().status
  expect(status).toEqual({
    state: {
      apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'BackupBucketState',
      owned: true,
    },
  })
})
