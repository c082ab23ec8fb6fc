import { describe, expect, test, vi } from 'vitest'
import { encoded, missingText } from '../../cli/commands/observe-output.ts'
import { reportAsText, reportForPrograms } from '../../cli/doctor/output.ts'
import { createPrinter } from '../../cli/narration/printer.ts'
import {
  historyAsText,
  painted,
  type ShootStatus,
  statusAsText,
  type TreeNode,
  treeAsText,
} from '../../cli/observe/observe.ts'
import { paint } from '../../cli/plan/paint.ts'
import { summaryOf } from '../../cli/record/summary.ts'
import { listSteps } from '../../cli/replay/journal/list-steps.ts'
import type { ReplayedEvent } from '../../cli/replay/replayed-event.ts'
import { reviewText } from '../../cli/replay/review/review-output.ts'
import { textOutputOf } from '../../cli/replay/text-output.ts'
import { cloudPlan } from '../../sandbox/plan-texts/cloud-plan.ts'
import { controlPlanePlan } from '../../sandbox/plan-texts/control-plane-plan.ts'
import { stepPlan } from '../../sandbox/plan-texts/step-plan.ts'
import { workerPlan } from '../../sandbox/plan-texts/worker-plan.ts'
import { exitCodeOf } from '../../sandbox/terminal/exit-code.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { createLog } from '../../shared/log/log.ts'
import { printError } from '../../shared/terminal/print.ts'
import { harmIn, hostile, planted } from './planted.ts'

const object = (data: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shoot--garden--rose', labels: { app: 'a' } },
  data: { text: data, long: 'one\ntwo' },
})
const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shoot--garden--rose', name: 'settings' }
const changes = (['create', 'update', 'delete'] as const).flatMap(kind =>
  [undefined, 'restarts pods, and more'].map(summary => ({
    kind,
    id,
    before: kind === 'create' ? undefined : object('a'),
    after: kind === 'delete' ? undefined : object('b'),
    summary,
  })),
)
const managed = { kind: 'update', notes: ['one note'], objects: changes } as const

const error = { text: 'cannot create: no', codes: ['ERR_INFRA_QUOTA_EXCEEDED'], since: 0, fix: 'ask' }
const tree: TreeNode = {
  id: 'Infrastructure rose',
  kind: 'extension',
  title: 'Infrastructure rose',
  state: 'failed',
  detail: 'Create Error',
  since: 0,
  why: 'waits',
  next: { what: 'retry 3', at: 9e6 },
  error,
  children: [
    { id: 'i-1', kind: 'cloud resource', title: 'machine i-1', state: 'ok', why: 'waits', children: [] },
    { id: 'b', kind: 'step', title: 'step', state: 'waiting', next: { what: 'continue' }, children: [] },
  ],
}
const shoot: ShootStatus = {
  shoot: 'shoot--garden--rose',
  title: 'rose',
  state: 'failed',
  detail: 'fails',
  since: 0,
  error,
  objects: 3,
  troubled: [tree],
}
const call = { service: 'ec2', action: 'CreateVpc', region: 'eu-west-1', input: { Cidr: 'a' }, isRead: false }
const replayed = (outcome: ReplayedEvent['outcome'], after: object): ReplayedEvent =>
  ({
    file: 'rose.journal step 1',
    event: {
      operation: 'reconcile',
      kind: 'Infrastructure',
      subject: 'a/b',
      reason: 'generation',
      time: 't',
    },
    function: 'aws-infrastructure',
    outcome,
    before: object('a'),
    after: { ...object('b'), ...after },
    gone: false,
    kubernetes: {
      reads: 1,
      writes: [{ verb: 'patch', resource: 'configmaps', name: 'other', subresource: 'status' }],
    },
    cloud: {
      name: 'aws',
      title: 'AWS',
      reads: 0,
      writes: [{ ...call, about: ' vpc-1', answer: '400 Bad', error: 'Bad' }],
    },
    requests: [{ method: 'GET', host: 'acme', path: '/a', status: 200 }],
    assumed: true,
    recorded: { how: 'failed', error, calls: [], failures: 1 },
    omitted: ['status'],
  }) as unknown as ReplayedEvent

/** The text of a plan, with hostile text in each field except those with a fixed set of values. */
const outputs: Readonly<Record<string, () => string>> = {
  'trellis doctor': () =>
    reportAsText(
      planted(
        [{ area: 'objects', diagnoses: [{ state: 'problem', text: 'it fails', advice: 'kubectl get' }] }],
        'state',
      ),
      true,
    ),
  'trellis status': () => statusAsText([planted(shoot, 'state', 'kind')], 5, painted),
  'trellis trace': () => treeAsText(planted(tree, 'state', 'kind'), 5, painted),
  'trellis history': () =>
    historyAsText(
      planted([{ at: 0, object: 'DNSRecord a/b', isFailed: true, text: 'step', details: ['failed'] }]),
      'a',
      5,
      painted,
    ),
  'the parts that status, trace and history could not read': () => missingText(planted(['DNSRecords'])),
  'trellis record': () =>
    summaryOf(
      planted({
        entries: { object: 1, event: 1, step: 1, gap: 1 },
        shoots: ['a'],
        gaps: ['DNSRecords: no'],
        bytes: 5,
        isFull: true,
      }) as unknown as Parameters<typeof summaryOf>[0],
      planted('rose.journal'),
    ).join('\n'),
  'trellis dev': () => {
    let printed = ''
    const write = (text: string) => {
      printed += text
    }
    createPrinter(virtualClock(0), write, () => 60).sentence(
      planted({ part: 'function', text: 'it says', tone: 'bad' } as const, 'tone'),
    )
    return printed
  },
  'trellis replay --list': () =>
    listSteps(
      planted([
        {
          id: '1',
          eventId: '1',
          object: 'DNSRecord a/b',
          operation: 'reconcile',
          at: 0,
          event: undefined,
          outcome: { how: 'failed', error, calls: [] },
        },
      ]),
    ),
  'trellis replay of a failed step': () =>
    textOutputOf(
      planted(
        replayed(
          { kind: 'recorded', how: 'failed' },
          { status: { lastError: { description: 'no', codes: ['ERR'] } } },
        ),
        'outcome',
      ),
      true,
    ),
  'trellis replay of an unrecorded step': () =>
    textOutputOf(planted(replayed({ kind: 'unrecorded', reason: 'no answer' }, {}), 'outcome'), true),
  'trellis replay of an unrecorded step with its reason': () =>
    textOutputOf(replayed({ kind: 'unrecorded', reason: planted('no answer') }, {}), true),
  'trellis replay of a review': () =>
    [true, false]
      .map(allowed =>
        reviewText(
          planted({
            file: 'a.json',
            webhook: 'aws-shoot',
            path: 'aws/shoot',
            about: { kind: 'Shoot', operation: 'CREATE', namespace: 'garden', name: 'rose' },
            assumed: true,
            allowed,
            code: 400,
            message: 'no',
            warnings: ['old'],
            patch: [],
            before: object('a'),
            after: object('b'),
          }),
          true,
        ),
      )
      .join(''),
  'trellis plan of a cloud': () =>
    cloudPlan(
      planted(
        {
          destroying: false,
          actions: [
            {
              kind: 'update',
              sentence: 'change VPC',
              after: ['create A', 'create B'],
              changes: [
                { attribute: 'cidr', before: 'a', after: 'b' },
                { attribute: 'tags', before: 'a' },
                { attribute: 'id', knownAfterCreate: true },
              ],
            },
          ],
          left: [{ label: 'VPC', id: 'vpc-1', why: 'not ours' }],
        } as unknown as Parameters<typeof cloudPlan>[0],
        'kind',
      ),
    ).text(paint),
  'trellis plan of a ControlPlane': () =>
    controlPlanePlan(
      {
        actions: (['update', 'create'] as const).map(kind =>
          planted({ ...managed, kind, sentence: 'update charts', cluster: 'shoot' } as const, 'kind'),
        ),
        writes: [],
      } as unknown as Parameters<typeof controlPlanePlan>[0],
      false,
    ).text(paint),
  'trellis plan of steps': () =>
    stepPlan(
      {
        actions: [
          ...changes.map(change => planted(change, 'kind')),
          planted({ id, ...managed, cluster: 'shoot' } as const, 'kind'),
        ],
        waits: planted(['the VPC']),
        writes: [],
      } as unknown as Parameters<typeof stepPlan>[0],
      false,
    ).text(paint),
  'trellis plan of a Worker': () =>
    workerPlan(
      planted(
        {
          actions: [
            {
              kind: 'replace',
              sentence: 'roll pool a',
              pool: 'a',
              deployments: [{ name: 'd', machines: 2, replicas: { from: 1, to: 2 } }],
              why: { isProved: true, causes: [{ name: 'image', from: 'a', to: 'b' }] },
              differences: [{ path: 'spec.a', from: 'a', to: { b: 'c' } }],
            },
          ],
          problems: [{ pool: 'a', message: 'no zone', codes: ['ERR'] }],
          machines: { replaced: 1, updatedInPlace: 0, made: 0, deleted: 0 },
          writes: [],
        } as unknown as Parameters<typeof workerPlan>[0],
        'kind',
      ),
      false,
    ).text(paint),
}

describe.each(Object.entries(outputs))('%s', (_, output) => {
  test('it shows hostile text of any field as escapes on one line, and no field controls the terminal', () => {
    const printed = output()
    expect(printed).toContain('FORGED')
    expect(harmIn(printed)).toEqual([])
  })
})

describe('the way out to a terminal', () => {
  const printed = (text: string, way: (text: string) => unknown = printError): string => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    way(text)
    const [[out] = []] = write.mock.calls
    write.mockRestore()
    return String(out)
  }

  test('it escapes what a format has forgotten, but not our own colours, line breaks and tabs', () => {
    expect(harmIn(printed(`a${hostile.replace('FORGED', '')}`))).toEqual([])
    const own = `${painted('✗', 'failed')}\ta\n${paint('replace', 'b')}${paint('detail', 'c')}\n`
    expect(printed(own)).toBe(own)
  })

  test('an error of a command may have several lines, which cannot pass for other errors', () => {
    const error = printed(planted('cannot read: denied'), text => exitCodeOf(new Error(text)))
    expect(error).toMatch(/^trellis: cannot read: denied.*\n {2}FORGED line\n$/)
    expect(harmIn(error.replace('FORGED', ''))).toEqual([])
  })

  test('a line of the log is the same JSON', () => {
    let line = ''
    const destination = {
      write: (text: string) => {
        line = text
      },
    }
    createLog({ level: 'info', name: 'a', destination }).info('failed', { error: planted('no') })
    expect(harmIn(line)).toEqual([])
    expect(JSON.parse(line).error).toBe(planted('no'))
  })

  test('JSON has the same value', () => {
    const report = planted([{ area: 'objects', diagnoses: [{ state: 'ok', text: 'fine' }] }] as const)
    const json = printed(encoded(reportForPrograms(report as never), 'json'))
    expect(harmIn(json)).toEqual([])
    expect(JSON.parse(json).areas).toEqual(report)
  })
})
