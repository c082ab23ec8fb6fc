import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { chooseFunction } from '../../cli/replay/choose-function.ts'
import { nextEvent } from '../../cli/replay/next-event.ts'
import { type Play, play } from '../../cli/replay/play.ts'
import { createReplayEnvironment } from '../../cli/replay/replay-environment.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { provider } from '../../sandbox/providers/aws/provider.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { buildEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { firstVersion, withVersion } from './record-run.ts'

const objectsIn = (file: string): readonly KubernetesObject[] => {
  const text = readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
  return parseAllDocuments(text).map(document => document.toJS() as KubernetesObject)
}

/** The bastion and the objects that it needs of the shoot. */
const example = (): readonly KubernetesObject[] => [
  ...objectsIn('infrastructure/one-zone.yaml').filter(({ kind }) => kind === 'Cluster'),
  ...objectsIn('bastion/one-zone.yaml'),
]

const { resource } = kinds.Bastion
const start = Date.parse('2026-01-01T00:00:00.250Z')
const hour = 3_600_000

/** Runs the example bastion through its life, step by step. Returns the events by file name. */
export const recordBastion = async (): Promise<ReadonlyMap<string, ExtensionEvent>> => {
  const objects = example()
  const object = objects.find(({ kind }) => kind === 'Bastion')
  if (object === undefined) throw new Error('the example has no Bastion')
  const { name, namespace = '' } = object.metadata
  const key = { name, namespace }
  const created = buildEvent({
    object: newly(object),
    kind: 'Bastion',
    operation: 'reconcile',
    cause: 'created',
    reason: 'annotation',
    attempt: 0,
    source: '/seeds/sandbox',
    now: start,
  })
  const stage = await createReplayEnvironment({ objects, clouds: [{ provider }] })
  const chosen = chooseFunction(await findFunctions(), created, undefined, 'the recording')
  stage.prepare(created, chosen.provider)
  const saved = new Map<string, ExtensionEvent>([['bastion-create', created]])
  let base: number | undefined
  const save = (file: string, event: ExtensionEvent) => {
    const version = Number(event.resourceversion)
    base ??= version
    saved.set(`bastion-${file}`, withVersion(event, version - base + firstVersion + 1))
  }
  /** Runs a step and its successors. Returns the event of the first successor. */
  const runToEnd = async (event: ExtensionEvent): Promise<ExtensionEvent | undefined> => {
    let first: ExtensionEvent | undefined
    for (let next: ExtensionEvent | undefined = event; next !== undefined; first ??= next) {
      const replay: Play = { file: '', event: next, chosen, live: false, first: false, follows: true }
      next = (await play(stage, replay)).next
    }
    return first
  }
  /** Performs a later action of gardenlet. Returns its event. */
  const ask = async (more: Readonly<Record<string, string>>, act = async () => {}) => {
    stage.clock.moveTo(stage.clock.now() + hour)
    const timestamp = new Date(stage.clock.now()).toISOString()
    await stage.kubernetes.patch(resource, key, {
      metadata: { annotations: { ...more, [annotations.timestamp]: timestamp } },
    })
    await act()
    const event = nextEvent(await stage.kubernetes.get(resource, key), created, stage.clock.now())
    if (event === undefined) throw new Error('nothing was due')
    return event
  }
  try {
    const waiting = await runToEnd(created)
    if (waiting !== undefined) save('continue', waiting)
    const unchanged = await ask({ [annotations.operation]: 'reconcile' })
    save('unchanged', unchanged)
    await runToEnd(unchanged)
    const deleted = await ask({ [annotations.deletionConfirmation]: 'true' }, async () => {
      await stage.kubernetes.delete(resource, key)
    })
    save('delete', deleted)
    return saved
  } finally {
    await stage.close()
  }
}

/** Returns the object as the API server stores it right after gardenlet creates it. */
const newly = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d20',
    resourceVersion: String(firstVersion),
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    annotations: {
      ...object.metadata.annotations,
      [annotations.timestamp]: '2026-01-01T00:00:00.000000001Z',
    },
  },
})
