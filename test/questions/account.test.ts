import { DeleteRouteCommand, DescribeRouteTablesCommand, EC2Client } from '@aws-sdk/client-ec2'
import { expect, onTestFinished, test } from 'vitest'
import { reconcileAccount } from '../../cli/act/run-account.ts'
import { plannedKindsOf } from '../../cli/plan/planned-kinds.ts'
import { providerPlanners } from '../../cli/plan/planner.ts'
import { definition } from '../../functions/aws/infrastructure/function.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { createSteppedSeed, readExample } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { serveObjects } from './testing/worker-seed.ts'

const planned = plannedKindsOf((await findProviders()).flatMap(providerPlanners))
const example = await readExample(new URL('../../examples/infrastructure/one-zone.yaml', import.meta.url))
const waiting = formatStepAnnotation({
  ...{ phase: 'waiting', operation: 'delete', attempt: 0, request: 'delete', generation: 1, was: '' },
  ...{ until: '2026-11-21T03:01:00.000Z', durationMs: 60_000, event: 'e' },
})
const at = '2026-11-21T03:00:00Z'

test('10: a reconcile of all objects of an account says first what it would do to each', async () => {
  const clock = virtualClock(Date.parse(at) - 3_600_000)
  const aws = createAws({ clock, anyCredentials: false })
  const connection = { requestHandler: aws.requestHandler }
  const account = '222222222222'
  const key = (accessKeyId: string, of: string, allow = ['*']) => {
    const one = { accessKeyId, secretAccessKey: `${accessKeyId}-secret` }
    aws.account(of).register({ ...one, allow })
    return one
  }
  const [one, two] = [key('AKIAONE', account), key('AKIATWO', account)]
  const denied = key('AKIADENIED', account)
  const other = key('AKIAOTHER', '333333333333')

  const made = async (
    name: string,
    keys: ReturnType<typeof key>,
    change: (object: KubernetesObject) => KubernetesObject = object => object,
  ) => {
    const renamed = (object: KubernetesObject): KubernetesObject =>
      JSON.parse(JSON.stringify(object).replaceAll('one-zone', name))
    const { accessKeyId, secretAccessKey } = keys
    const beside = example.beside
      .map(renamed)
      .map(object =>
        object.kind === 'Secret'
          ? { ...object, stringData: { accessKeyID: accessKeyId, secretAccessKey } }
          : object,
      )
    const object = renamed(example.object)
    const seed = createSteppedSeed({ definition, clock, objects: beside, connection, waits: 'advance' })
    onTestFinished(() => seed.close())
    await seed.apply(object)
    const live = await seed.kubernetes.get(kinds.Infrastructure.resource, object.metadata)
    if (live === undefined) throw new Error('the Infrastructure is gone')
    return [change({ ...live, kind: 'Infrastructure' }), ...beside.filter(({ kind }) => kind !== 'Namespace')]
  }
  const annotated = (own: Readonly<Record<string, string>>) => (object: KubernetesObject) => ({
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...own } },
  })
  const objects = [
    ...(await made('a', one)),
    ...(await made('b', two)),
    ...(await made('c', one, object => ({
      ...annotated({ [annotations.step]: waiting })(object),
      status: {
        ...Object(object.status),
        lastOperation: {
          type: 'Delete',
          state: 'Processing',
          progress: 20,
          description: 'waits',
          lastUpdateTime: at,
        },
      },
      metadata: { ...annotated({ [annotations.step]: waiting })(object).metadata, deletionTimestamp: at },
    }))),
    ...(await made('d', one, object => ({
      ...object,
      status: {
        ...Object(object.status),
        lastOperation: {
          type: 'Migrate',
          state: 'Succeeded',
          progress: 100,
          description: '',
          lastUpdateTime: at,
        },
      },
    }))),
    ...(await made('e', two, annotated({ [annotations.pause]: '2026-11-21T06:00:00Z dave' }))),
    ...(await made('f', denied)),
    ...(await made('g', other)),
  ]
  const deleteRoute = async (credentials: ReturnType<typeof key>, name: string) => {
    const ec2 = new EC2Client({ region: 'eu-west-1', credentials, requestHandler: aws.requestHandler })
    const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand({}))
    const table = RouteTables.find(
      ({ Tags = [], Routes = [] }) =>
        Tags.some(({ Value }) => Value?.includes(`shoot--garden--${name}`)) &&
        Routes.some(({ NatGatewayId }) => NatGatewayId),
    )
    await ec2.send(
      new DeleteRouteCommand({ RouteTableId: table?.RouteTableId, DestinationCidrBlock: '0.0.0.0/0' }),
    )
  }
  await deleteRoute(two, 'b')
  await deleteRoute(other, 'g')
  aws.account(account).revoke(denied.accessKeyId)
  key('AKIADENIED', account, ['sts:*', 'iam:*'])

  const { server, kubernetes } = serveObjects(clock, objects)
  onTestFinished(() => server.close())
  const run = async (agrees: boolean, of = account) => {
    const lines: string[] = []
    let hasAgreed = false
    const running = reconcileAccount(
      of,
      {},
      {
        ...{ kubernetes, clock, planned, connect: async () => connection, env: {}, user: 'dave' },
        print: text => void lines.push(text),
        confirm: async () => (hasAgreed = agrees),
        signal: () => new AbortController().signal,
      },
    )
    let isOver = false
    running
      .finally(() => {
        isOver = true
      })
      .catch(() => {})
    // Plans take no time, and writes have pauses.
    while (!isOver) await (hasAgreed ? clock.advance(100) : new Promise(resolve => setImmediate(resolve)))
    return { code: await running, text: lines.join('') }
  }
  await expect(run(true, '999999999999')).rejects.toThrow(
    `--account: no object has credentials of 999999999999. The objects have those of ${account}, `,
  )
  const { code, text } = await run(false)
  expect(code).toBe(2)
  const of = (name: string) => `Infrastructure/shoot--garden--${name}/${name}: `
  expect(text).toContain(`✎ ${of('a')}reconciles at once: changes nothing\n`)
  expect(text).toMatch(
    new RegExp(
      `✎ ${of('b')}reconciles at once:\\n    ~ update route table \\S+\\n        route 0\\.0\\.0\\.0/0: nat-\\w+\\n\\n    Plan: 0 to create, 1 to change`,
    ),
  )
  expect(text).toContain(`- ${of('c')}its deletion continues by itself`)
  expect(text).toContain(`- ${of('d')}it was migrated to another seed\n`)
  expect(text).toContain(`- ${of('e')}paused until 06:00:00Z by dave`)
  expect(text).toMatch(new RegExp(`\\? ${of('f')}not known, so it is not reconciled: .*ec2:DescribeVpcs`))
  expect(text).toContain(
    `6 objects of account ${account}, 2 to reconcile. The plans took 0 s; the requests take 2 s, one each second`,
  )
  expect(text).not.toMatch(/garden--g\b/)
  const requested = async () => {
    const { items } = await kubernetes.list(kinds.Infrastructure.resource)
    return items.flatMap(({ metadata }) =>
      metadata.annotations?.[annotations.operation] === 'reconcile' ? [metadata.name] : [],
    )
  }
  expect(await requested()).toEqual([])
  expect(await run(true)).toMatchObject({
    code: 2,
    text: expect.stringContaining(`✓ ${of('b').slice(0, -2)}`),
  })
  expect(await requested()).toEqual(['a', 'b'])
})
