import { expect, test } from 'vitest'
import { addHostedZone, createAws, hostedZones } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { recordOf, secretAccessKey, stepsOver } from './testing/steps.ts'

const accounts = ['111111111111', '222222222222'] as const
const key = (account: string) => `AKIA${account}`
const secretOf = (account: string) => ({ accessKeyID: key(account), secretAccessKey })

/** Two accounts and one process. Their zones have the same id, so that only the credentials tell them apart. */
const setUp = () => {
  const aws = createAws({ anyCredentials: false })
  for (const account of accounts) {
    aws.account(account).register({ accessKeyId: key(account), secretAccessKey, user: 'dns' })
    addHostedZone(aws.account(account), { name: 'example.com', id: 'ZSAME' })
  }
  const recordsOf = (account: string) =>
    hostedZones(aws.account(account)).flatMap(({ recordSets }) =>
      recordSets.flatMap(({ Type, Name, ResourceRecords = [] }) =>
        Type === 'A' ? [`${Name} ${ResourceRecords.map(({ Value }) => Value).join()}`] : [],
      ),
    )
  return { aws, recordsOf, ...stepsOver(aws.requestHandler) }
}

const recordAt = (account: string, index: number, statusZone?: string) => ({
  ...recordOf({
    spec: { name: `r${index}.example.com`, values: [`10.0.0.${account[0]}`] },
    ...(statusZone !== undefined && { statusZone }),
  }),
  metadata: { name: `r${index}`, namespace: 'shoot--foo--bar', uid: `${account}-${index}` },
})

/** Works on five records of each account at the same time. */
const together = (work: (account: string, index: number) => Promise<unknown>) =>
  Promise.all([0, 1, 2, 3, 4].flatMap(index => accounts.map(account => work(account, index))))

test.each([
  ['without a zone', undefined],
  ['with a zone', 'ZSAME'],
])('records of two accounts %s are created, changed and deleted each in its own account', async (_, zone) => {
  const { aws, recordsOf, reconcile, remove } = setUp()
  const expected = (account: string) =>
    [0, 1, 2, 3, 4].map(index => `r${index}.example.com. 10.0.0.${account[0]}`)
  await together((account, index) => reconcile(recordAt(account, index, zone), { secret: secretOf(account) }))
  for (const account of accounts) expect(recordsOf(account)).toEqual(expected(account))

  await together((account, index) => remove(recordAt(account, index, 'ZSAME'), { secret: secretOf(account) }))
  for (const account of accounts) expect(recordsOf(account)).toEqual([])
  for (const call of aws.calls.all()) expect(call.accountId).toBe(call.accessKeyId?.slice(4))
})

test('a deletion with one key does not depend on another account that lacks the records', async () => {
  const { recordsOf, reconcile, remove } = setUp()
  const [first, second] = accounts
  await reconcile(recordAt(first, 0, 'ZSAME'), { secret: secretOf(first) })
  await Promise.all([
    remove(recordAt(second, 0, 'ZSAME'), { secret: secretOf(second) }),
    remove(recordAt(first, 0, 'ZSAME'), { secret: secretOf(first) }),
  ])
  expect(recordsOf(first)).toEqual([])
})

test('an outdated secret key fails alone', async () => {
  const { recordsOf, reconcile } = setUp()
  const [account] = accounts
  const secret = (index: number) => ({
    accessKeyID: key(account),
    secretAccessKey: index === 0 ? 'planted-outdated' : secretAccessKey,
  })
  const results = await Promise.allSettled(
    [0, 1, 2].map(index => reconcile(recordAt(account, index, 'ZSAME'), { secret: secret(index) })),
  )
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(recordsOf(account)).toHaveLength(2)
})

test('two roles of one token and account make their own calls', async () => {
  const aws = createAws()
  addHostedZone(aws.account(), { name: 'example.com', id: 'ZSAME' })
  const { reconcile } = stepsOver(aws.requestHandler)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 3_600
  const token = `${part({ alg: 'RS256' })}.${part({ iss: 'https://garden.example.com', sub: 'dns', aud: 'sts.amazonaws.com', exp })}.c2ln`
  await Promise.all(
    ['one', 'other'].map((role, index) =>
      reconcile(recordAt('1', index, 'ZSAME'), {
        secret: { token, roleARN: `arn:aws:iam::123456789012:role/${role}` },
      }),
    ),
  )
  const changes = aws.calls.all().filter(({ action }) => action === 'ChangeResourceRecordSets')
  expect(changes).toHaveLength(2)
})
