import {
  AuthorizeSecurityGroupIngressCommand,
  DeleteNatGatewayCommand,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DescribeSecurityGroupsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import { expect, onTestFinished, test } from 'vitest'
import { findDrift } from '../../cli/drift/drift.ts'
import { driftAsText } from '../../cli/drift/drift-text.ts'
import { unpainted } from '../../cli/observe/observe.ts'
import { plannedKindsOf } from '../../cli/plan/planned-kinds.ts'
import { providerPlanners } from '../../cli/plan/planner.ts'
import { definition as bastionDefinition } from '../../functions/aws/bastion/function.ts'
import { definition } from '../../functions/aws/infrastructure/function.ts'
import { operator } from '../../sandbox/providers/aws/account-contents.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { createSteppedSeed, readExample } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { changing, serveObjects, workerOf } from './testing/worker-seed.ts'

const planned = plannedKindsOf((await findProviders()).flatMap(providerPlanners))

const drift = async (kubernetes: Kubernetes, connection?: unknown) => {
  const report = await findDrift({
    ...{ kubernetes, planned, env: {}, signal: new AbortController().signal },
    clock: virtualClock(Date.parse('2026-11-21T03:00:00Z')),
    connect: async () => connection,
  })
  return { report, text: driftAsText(report, unpainted) }
}

test('2: only a change by hand is drift, with the program that made it', async () => {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 5, maxUnavailable: 1 } }
  const edited = (object: KubernetesObject) => ({
    spec: { ...Object(object.spec), strategy },
    metadata: {
      ...object.metadata,
      managedFields: [
        {
          ...{ manager: 'node', operation: 'Update', time: '2026-01-01T00:00:00Z' },
          fieldsV1: { 'f:spec': { 'f:strategy': { 'f:rollingUpdate': { 'f:maxUnavailable': {} } } } },
        },
        {
          ...{ manager: 'kubectl-edit', operation: 'Update', time: '2026-11-21T02:12:00Z' },
          fieldsV1: { 'f:spec': { 'f:strategy': { 'f:rollingUpdate': { 'f:maxSurge': {} } } } },
        },
        {
          ...{ manager: 'machine-controller-manager', operation: 'Update', time: '2026-11-21T02:30:00Z' },
          fieldsV1: { 'f:metadata': { 'f:annotations': {} } },
        },
      ],
    },
  })
  const scaled = ({ spec }: KubernetesObject) => ({ spec: { ...Object(spec), replicas: 4 } })
  const { object } = await readExample(
    new URL('../../examples/infrastructure/one-zone.yaml', import.meta.url),
  )
  const pending = {
    ...object,
    metadata: { ...object.metadata, generation: 2, annotations: {} },
    status: {
      observedGeneration: 1,
      lastOperation: {
        ...{ type: 'Reconcile', state: 'Succeeded', progress: 100, description: '' },
        lastUpdateTime: '2026-11-21T01:00:00Z',
      },
    },
  }
  const b = changing(workerOf('b'), 'MachineDeployment', scaled, 'batch')
  const serve = (...objects: readonly KubernetesObject[]) => {
    const { server, kubernetes } = serveObjects(virtualClock(0), objects)
    onTestFinished(() => server.close())
    return kubernetes
  }
  const c = changing(workerOf('c'), 'MachineDeployment', edited, 'batch')
  const { report, text } = await drift(serve(pending, ...b, ...c))
  expect(report.drifted.map(({ namespace }) => namespace)).toEqual(['shoot--garden--c'])
  expect((await drift(serve(pending, ...b))).report).toMatchObject({ drifted: [], unknown: [], same: 1 })
  expect(text).toContain('spec.strategy.rollingUpdate.maxSurge: 5 → 10%')
  expect(text).toContain('Machines: all unchanged')
  expect(text).toContain(
    '    Changed by: kubectl-edit at 2026-11-21T02:12:00Z (machinedeployments shoot--garden--c-batch-z1). These are programs;',
  )
  expect(text).not.toMatch(/machine-controller-manager|: node at/)
  expect(text).toMatch(
    /… Infrastructure shoot--garden--one-zone\/one-zone: generation 2 of its spec is not applied yet \(observed: 1\), and waits for a request/,
  )
  expect(text).not.toMatch(/garden--b\b/)
})

test('1: a lost gateway and a foreign rule are distinguished, and a Bastion is no drift', async () => {
  const clock = virtualClock(Date.parse('2026-11-21T01:00:00Z'))
  const aws = createAws({ clock })
  const connection = { requestHandler: aws.requestHandler }
  const { object, beside } = await readExample(
    new URL('../../examples/infrastructure/one-zone.yaml', import.meta.url),
  )
  const bastion = (await readExample(new URL('../../examples/bastion/one-zone.yaml', import.meta.url))).object
  const reconciles: (() => Promise<unknown>)[] = []
  const reconcile = async () => reconciles[0]?.()
  const apply = async (
    of: typeof definition | typeof bastionDefinition,
    given: KubernetesObject,
    objects: readonly KubernetesObject[],
  ) => {
    const seed = createSteppedSeed({
      definition: of as typeof definition,
      clock,
      objects,
      connection,
      waits: 'advance',
    })
    onTestFinished(() => seed.close())
    await seed.apply(given)
    reconciles.push(() => seed.apply(given))
    const kind = given.kind as 'Bastion'
    const live = await seed.kubernetes.get(kinds[kind].resource, given.metadata)
    if (live === undefined) throw new Error(`the ${kind} is gone`)
    return { ...live, kind }
  }
  const infrastructure = await apply(definition, object, beside)
  const objects = [
    infrastructure,
    await apply(bastionDefinition, bastion, beside),
    ...beside.filter(({ kind }) => kind !== 'Namespace'),
  ]
  const { server, kubernetes } = serveObjects(clock, objects)
  onTestFinished(() => server.close())
  expect((await drift(kubernetes, connection)).report).toMatchObject({
    drifted: [],
    pending: [],
    unknown: [],
    same: 2,
  })

  const ec2 = new EC2Client(operator(aws.requestHandler))
  const { NatGateways: [gateway] = [] } = await ec2.send(new DescribeNatGatewaysCommand({}))
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}))
  const nodes = SecurityGroups.find(({ GroupName = '' }) => GroupName.endsWith('-nodes'))
  await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: gateway?.NatGatewayId }))
  await ec2.send(
    new AuthorizeSecurityGroupIngressCommand({
      GroupId: nodes?.GroupId,
      IpPermissions: [{ IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] }],
    }),
  )
  await clock.advance(600_000)
  const { report, text } = await drift(kubernetes, connection)
  expect(report.drifted.map(({ kind }) => kind)).toEqual(['Infrastructure'])
  const [{ AllocationId = 'none', PublicIp = 'none' } = {}] = gateway?.NatGatewayAddresses ?? []
  expect(text).toContain(
    `+ create NAT gateway eu-west-1a\n        in place of ${gateway?.NatGatewayId}, which is gone\n        allocation: ${AllocationId}\n`,
  )
  expect(text).toContain(`gets the address that it had (${AllocationId}): egressCIDRs stay`)
  expect(text).toContain(
    `Stays: nodes security group (${nodes?.GroupId}) has a rule of others: ingress tcp 22 0.0.0.0/0`,
  )
  expect(text).toMatch(/Changed by: not recorded here/)
  expect(text).toContain('run: trellis reconcile Infrastructure/shoot--garden--one-zone/one-zone')
  expect(text).not.toMatch(/Bastion.*drift|revoke|close|remove.*tcp 22/)

  // The reconcile does what was said.
  await reconcile()
  const { Addresses: [address] = [] } = await ec2.send(
    new DescribeAddressesCommand({ AllocationIds: [AllocationId] }),
  )
  expect(address).toMatchObject({ PublicIp, AssociationId: expect.anything() })
  const { SecurityGroups: [group] = [] } = await ec2.send(
    new DescribeSecurityGroupsCommand({ GroupIds: [nodes?.GroupId ?? ''] }),
  )
  expect(JSON.stringify(group?.IpPermissions)).toContain('"FromPort":22,"ToPort":22')
})
