import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  bridgeDeployments,
  historyAsText,
  providedResources,
  readSeed,
  readShoot,
  type SeedView,
  seedStatus,
  shootHistory,
  shootTree,
  statusAsText,
  treeAsText,
  unpainted,
  withSteps,
} from '../../cli/observe/observe.ts'
import { definition } from '../../functions/aws/infrastructure/function.ts'
import { provider } from '../../sandbox/providers/aws/provider.ts'
import { type Aws, createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createSteppedSeed, readExample, type SteppedSeed } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import type { StepEntry } from '../../shared/journal/journal.ts'

const namespace = 'shoot--garden--one-zone'
const key = { namespace, name: 'one-zone' }
const example = new URL('../../examples/infrastructure/one-zone.yaml', import.meta.url)
const signal = new AbortController().signal

let clock: VirtualClock
let aws: Aws
let seed: SteppedSeed
let steps: StepEntry[]

beforeEach(async () => {
  clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  aws = createAws({ clock })
  steps = []
  const { object, beside } = await readExample(example)
  seed = createSteppedSeed({
    definition,
    clock,
    objects: beside,
    connection: { requestHandler: aws.requestHandler },
    waits: 'advance',
    onStep: report => steps.push({ type: 'step', at: new Date(clock.now()).toISOString(), ...report }),
  })
  await one().create(object)
})
afterEach(() => seed.close())

const one = () => seed.object(key)

/** Returns the texts of the commands, which are all that a user reads. */
const read = async () => {
  const options = { kubernetes: seed.kubernetes, clock, signal }
  const live = await readShoot({ ...options, technical: namespace })
  const view: SeedView = withSteps(live, { steps, events: [], missing: [] })
  const whole = await readSeed(options)
  const rows = shootHistory(view, namespace, view.at - 3_600_000)
  return {
    trace: treeAsText(shootTree(view, namespace, await providedResources([provider])), view.at, unpainted),
    status: statusAsText(seedStatus(whole), whole.at, unpainted),
    history: historyAsText(rows, namespace, view.at, unpainted),
  }
}

/** Makes the first step fail at a call. */
const failAt = async (action: string, code: string, message: string) => {
  aws.faults.add({
    service: 'ec2',
    action,
    times: null,
    effect: { kind: 'error', code, message, status: 400 },
  })
  await one().step()
}

/** Runs steps with their pauses until the condition holds. */
const runUntil = (holds: () => boolean) => one().run({ until: holds })

describe('status, trace and history answer:', () => {
  test('which call failed?', async () => {
    await failAt('CreateVpc', 'VpcLimitExceeded', 'The maximum number of VPCs has been reached.')
    const { history, trace } = await read()
    expect(history).toMatch(/failed call: ec2 CreateVpc: VpcLimitExceeded \(400\), request \S+/)
    expect(trace).toMatch(/ec2 CreateVpc: VpcLimitExceeded/)
  })

  test('since when?', async () => {
    await failAt('CreateVpc', 'VpcLimitExceeded', 'no')
    const first = new Date(clock.now()).toISOString().slice(11, 19)
    await clock.advance(1_000)
    await one().step()
    await clock.advance(60_000)
    expect((await read()).status).toMatch(new RegExp(`error \\(since ${first}Z, \\d+ s\\)`))
  })

  test('what does it wait for?', async () => {
    await runUntil(() => aws.calls.all().some(({ action }) => action === 'CreateNatGateway'))
    await one().step()
    const { status, trace } = await read()
    expect(trace).toMatch(/why: .*NAT gateway.*, since \d+ s/)
    expect(status).toMatch(/… Infrastructure one-zone {2}Create Processing \d+ %[\s\S]*NAT gateway/)
  })

  test('what did the last change do?', async () => {
    await one().run()
    const { history } = await read()
    expect(history).toMatch(/changed: .*ec2 CreateVpc/)
    expect(history).toMatch(/changed: .*ec2 CreateNatGateway/)
    expect(history).toMatch(/step continue of aws-infrastructure: succeeded/)
  })

  test('will nodes roll?', async () => {
    const { resource: deployments } = machineKinds.MachineDeployment
    const { resource: machines } = machineKinds.Machine
    const { resource: workers } = kinds.Worker
    const head = (kind: string, name: string) => ({
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind,
      metadata: { name, namespace, labels: { name: 'pool-z1' } },
    })
    const spec = (name: string) => ({ class: { kind: 'MachineClass', name } })
    await seed.kubernetes.create(workers, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Worker',
      metadata: { name: 'one-zone', namespace },
      spec: { type: 'aws', region: 'eu-west-1', secretRef: { name: 'cloudprovider', namespace }, pools: [] },
    })
    await seed.kubernetes.create(deployments, {
      ...head('MachineDeployment', 'pool-z1'),
      spec: { replicas: 3, template: { spec: spec('new') } },
    })
    await seed.kubernetes.create(machines, { ...head('Machine', 'm1'), spec: spec('old') })
    for (const name of ['m2', 'm3'])
      await seed.kubernetes.create(machines, { ...head('Machine', name), spec: spec('new') })
    const { trace } = await read()
    expect(trace).toMatch(/MachineDeployment pool-z1 {2}0 of 3 ready, 1 to be replaced/)
    expect(trace.match(/Machine m\d .*of an old class/g)).toEqual([expect.stringMatching(/^Machine m1 /)])
  })

  test('who must act?', async () => {
    await failAt('CreateVpc', 'VpcLimitExceeded', 'no')
    expect((await read()).status).toMatch(
      /ERR_INFRA_QUOTA_EXCEEDED: .*\n +fix: the user .* asks the cloud for a higher quota/,
    )
  })

  test('why did a step fail without a failed call?', async () => {
    const spec = { secretRef: { name: 'mistyped', namespace } }
    await seed.kubernetes.patch(kinds.Infrastructure.resource, key, { spec })
    await one().step()
    const { history, trace } = await read()
    expect(history).toMatch(/step reconcile of aws-infrastructure: failed in .*\n.*mistyped.* not found/)
    expect(trace).toMatch(
      /step reconcile of aws-infrastructure {2}failed, [\s\S]*why: .*mistyped.* not found/,
    )
  })

  test('is a step running now?', async () => {
    seed.dieAt(4, 'before')
    await one()
      .step()
      .catch(() => undefined)
    expect((await read()).trace).toMatch(
      /▶ Infrastructure one-zone[\s\S]*why: a step is running, until 12:01:\d\dZ at the latest/,
    )
  })

  test('when is the next try?', async () => {
    await failAt('CreateVpc', 'VpcLimitExceeded', 'no')
    const { status } = await read()
    expect(status).toMatch(/next: retry 1 of reconcile at 12:0\d:\d\dZ, in 1 s/)
  })

  test('which cloud resource belongs to it?', async () => {
    await one().run()
    const { trace } = await read()
    expect(trace).toMatch(/VPC vpc-[0-9a-f]+ {2}as recorded, \d+ s ago\n/)
    expect(trace).toMatch(/└─ ✓ NAT gateway nat-[0-9a-f]+ in zone eu-west-1a/)
  })

  test('is it stuck, or does it only wait?', async () => {
    await seed.kubernetes.create(bridgeDeployments.resource, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'bridge', namespace, labels: { app: 'bridge' } },
      spec: {
        selector: { matchLabels: { app: 'bridge' } },
        template: {
          metadata: { labels: { app: 'bridge' } },
          spec: { containers: [{ env: [{ name: 'TRELLIS_SERVED', value: 'Infrastructure/aws' }] }] },
        },
      },
    })
    await seed.kubernetes.patch(kinds.Infrastructure.resource, key, {
      metadata: { annotations: { [annotations.timestamp]: new Date(clock.now()).toISOString() } },
    })
    await clock.advance(40_000)
    expect((await read()).status).toMatch(
      /… Infra[\s\S]*a step is due since 40 s: no function has claimed it\n/,
    )
    await clock.advance(600_000)
    expect((await read()).status).toMatch(/✗ Infra[\s\S]*a step is due since 11 m: .*It is stuck/)
    await seed.kubernetes.patch(
      clusterKind.resource,
      { name: namespace },
      {
        spec: { shoot: { status: { lastOperation: { type: 'Create', state: 'Failed' } } } },
      },
    )
    expect((await read()).status).toMatch(/… Infra[\s\S]*the shoot has failed: its objects are held/)
  })
})
