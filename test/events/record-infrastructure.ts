import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { chooseFunction } from '../../cli/replay/choose-function.ts'
import { nextEvent } from '../../cli/replay/next-event.ts'
import { play } from '../../cli/replay/play.ts'
import { createReplayEnvironment } from '../../cli/replay/replay-environment.ts'
import { provider } from '../../functions/aws/provider.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { buildEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { firstVersion, withVersion } from './record-run.ts'

const example = (): readonly KubernetesObject[] => {
  const text = readFileSync(new URL('../../examples/infrastructure/one-zone.yaml', import.meta.url), 'utf8')
  return parseAllDocuments(text).map(document => document.toJS() as KubernetesObject)
}

const { resource } = kinds.Infrastructure
const start = Date.parse('2026-01-01T00:00:00.250Z')
const hour = 3_600_000

/**
 * Leads the smallest infrastructure of the examples through its life, step by step, and returns the events by the
 * names of their files.
 */
export const recordInfrastructure = async (): Promise<ReadonlyMap<string, ExtensionEvent>> => {
  const objects = example()
  const object = objects.find(({ kind }) => kind === 'Infrastructure')
  if (object === undefined) throw new Error('the example has no Infrastructure')
  const { name, namespace = '' } = object.metadata
  const created = buildEvent({
    object: newly(object),
    kind: 'Infrastructure',
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
  const saved = new Map<string, ExtensionEvent>([['infrastructure-create', created]])
  let base: number | undefined
  const save = (file: string, event: ExtensionEvent) => {
    const version = Number(event.resourceversion)
    base ??= version
    saved.set(`infrastructure-${file}`, withVersion(event, version - base + firstVersion + 1))
  }
  const step = async (event: ExtensionEvent) => {
    const { next } = await play(stage, { file: '', event, chosen, live: false, first: false, follows: true })
    return next
  }
  /** What gardenlet does after a while; returns the event for it. */
  const ask = async (act: () => Promise<unknown>) => {
    stage.clock.moveTo(stage.clock.now() + hour)
    await act()
    const event = nextEvent(
      await stage.kubernetes.get(resource, { name, namespace }),
      created,
      stage.clock.now(),
    )
    if (event === undefined) throw new Error('nothing was due')
    return event
  }
  const annotate = (more: Readonly<Record<string, string>>) =>
    stage.kubernetes.patch(
      resource,
      { name, namespace },
      {
        metadata: {
          annotations: { ...more, [annotations.timestamp]: new Date(stage.clock.now()).toISOString() },
        },
      },
    )
  try {
    let next = await step(created)
    if (next !== undefined) save('continue', next)
    while (next !== undefined) next = await step(next)
    const unchanged = await ask(() => annotate({ [annotations.operation]: 'reconcile' }))
    save('unchanged', unchanged)
    await step(unchanged)
    const deleted = await ask(async () => {
      await annotate({ [annotations.deletionConfirmation]: 'true' })
      await stage.kubernetes.delete(resource, { name, namespace })
    })
    save('delete', deleted)
    return saved
  } finally {
    stage.close()
  }
}

/** The object as the API server has it when gardenlet has just created it. */
const newly = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d10',
    resourceVersion: String(firstVersion),
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    annotations: {
      ...object.metadata.annotations,
      [annotations.timestamp]: '2026-01-01T00:00:00.000000001Z',
    },
  },
})
